"""What each key of a review does, for the person who presses ?."""

HELP = """\
  p  promote: the agent reads the lesson with the result of such a call
  s  stop once: the first such call of a session is denied with the lesson as
     the reason; the second one passes
  b  block: every such call is denied; `lessons allow` lets one pass
  h  shadow: matches are only logged, so that you see what it would do
  e  edit the trigger, its exceptions (unless), the words or the scope; the
     history is looked through again at once
  k  skip: it comes back at the end of the next review
  a  archive with a reason: it never comes back
  m  merge into a lesson that says the same: it gains the evidence
  u  undo the last step of this walk
  q  quit: every decision is kept, the next review goes on from there

  `unless` and `fires` are regexes. "history" is what the trigger would have
  done to the calls of your agents so far."""

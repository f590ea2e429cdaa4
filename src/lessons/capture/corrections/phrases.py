"""The parts of sentences, as patterns, from which the shapes of rules are put together; English for now."""

DO_NOT = r"(?:don'?t|do\s+not)"
# What an agent does to its working place, as against what a program shows or a text says.
WORKING = (
    r"(?:run|use|touch|edit|modify|commit|push|delete|install|upgrade|downgrade|deploy|merge|kill|rebase|amend|squash"
    r"|publish|release|reset|mock|stub|hard-?code|store|import|ask|skip|disable|bypass|ignore|assume|guess|invent|log"
    r"|overwrite|stash|force|tag|regenerate|rebuild|reformat|lint|format|bump|start|restart|reinstall|leave|rely"
    r"|check\s+in)"
)
START = (
    r"(?:^|[,;:(–—]\s*|\s-\s|\b(?:and|but|so|because|then)\s+)"
    r"(?:(?:please|pls|also|actually|just|i think|no)\b[\s,]*){0,2}"
)
YOU_SHOULD = r"(?:(?:you|we|u)\s+(?:should|must|need\s+to|have\s+to)\s+)?"
# What one says without meaning a rule: "don't worry", "we don't need", "I don't see".
IDLE = (
    r"(?!(?:worry|think|know|see|seen|saw|understand|care|need|have|had|mind|like|bother|forget|get|be|been|feel|want"
    r"|believe|remember|look|seem|matter|exist|works?|let|hesitate|panic|wait|even|really|give|miss|recall|expect|yet|go"
    r"|just|mean|trust|support|a|an|the|good|nice|asked|said|was|is|are|stop|thought|knew|expected|tried|realized|happened"
    r"|heard|imagined|noticed)\b)"
)
DONE = (
    r"(?:edited|modified|touched|changed|committed|pushed|deleted|renamed|merged|run|used|imported|installed|mocked"
    r"|stored|logged|hard-?coded|written|updated|published|disabled|skipped|checked\s+in|bypassed|ignored)"
)
HERE = (
    r"(?:in|for|across|throughout)\s+(?:this|our|the\s+whole|the\s+entire)"
    r"\s+(?:repo(?:sitory)?|project|code\s?base|mono-?repo|team|company|org)\b"
)
HOST = r"(?:`?(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[\w-]+(?:\.[\w-]+)+)(?::\d{2,5})?`?|port\s+\d{2,5}|:\d{2,5})"
PLACE = rf"(?:{HOST}|`[^`]+`|[\w.@~-]*/[\w./@~-]*|\.\w[\w.-]*)"
IS_AT = (
    r"\b(?:is|are|'s|lives?|runs?|sits?|goes|go|belongs?|listens?|stays?)\s+(?:in|on|at|under|behind|inside|to)\s+"
    r"(?:the\s+)?"
)
NOT_AT = r",?\s+(?:and\s+)?not\s+(?:in\s+|on\s+|at\s+|under\s+|to\s+)?"
# A thing by its bare name: "pnpm", "make test"; with an article it is a part of this work.
BARE = r"(?!(?:a|an|the|this|that|these|those|it|them|my|your|some|option|\d+|\w)(?:\s|$))"
FINDING_OUT = r"(?:test|check|verify|run|try|look|read|debug|reproduce)"
# What an agent writes and runs, all of a kind.
THINGS = (
    r"(?:tests|specs|commits|commit\s+messages|branch(?:es|\s+names)|migrations|scripts|linter|formatter|imports|prs"
    r"|pull\s+requests|fixtures|snapshots|mocks|builds|benchmarks|docs|docstrings|comments)"
)
MUST = r"(?:must|should|ha(?:s|ve)\s+to|needs?\s+to)(?:\s+(?:always|only|never|not))?"
HANDLED = (
    r"(?:run|written|go|live|start|begin|end|pass|use|have|follow|named|formatted|signed|squashed|built|made|generated"
    r"|kept|placed|stay)"
)
THING = (
    r"(?:tests?|commits?|branch(?:es)?|migrations?|scripts?|prs?|pull\s+requests?|bug\s?fix(?:es)?|modules?|packages?)"
)
LANGUAGE = r"(?:english|german|french|spanish|portuguese|italian|dutch|polish|russian|japanese|chinese|korean)"

// Lets the lessons of `lessons` act in opencode. Written by `lessons install --agent opencode`, and removed by
// `lessons uninstall --agent opencode`. Whatever goes wrong here, opencode goes on as if it were not there.
import { spawn } from "node:child_process"

const HOOK = {}
const DENIED = "Denied by a lesson of the user. "
const MILLISECONDS = 5000
const REST_MILLISECONDS = 60000 // after a hook that did not answer in time
const MOST_CHARACTERS = 60000

let restsUntil = 0

class Denied extends Error {}

// What the hook answers; nothing where it fails or takes too long. opencode never waits for a process that cannot even
// be killed, because its disk does not answer: it is left behind.
async function ask(event, payload) {
  if (Date.now() < restsUntil) return {}
  try {
    const answer = JSON.parse((await printed(event, JSON.stringify(payload))) || "{}")
    return answer && typeof answer === "object" ? answer : {}
  } catch {
    return {}
  }
}

function printed(event, input) {
  return new Promise((resolve) => {
    const words = ["-I", "-S", HOOK.entry, event, "--python", HOOK.worker, "--agent", "opencode"]
    const child = spawn(HOOK.python, words, {
      windowsHide: true,
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, LESSONS_HOME: HOOK.home },
    })
    let text = ""
    const timer = setTimeout(() => {
      restsUntil = Date.now() + REST_MILLISECONDS
      child.kill("SIGKILL")
      child.unref()
      child.stdout.destroy()
      resolve("")
    }, MILLISECONDS)
    const end = (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? text : "")
    }
    child.on("error", end)
    child.on("close", end)
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (piece) => (text += piece))
    child.stdin.on("error", () => {}) // a hook that ends before it has read all
    child.stdin.end(input)
  })
}

// Beginning and end: an error is found in either.
function cut(text) {
  if (typeof text !== "string") return ""
  const half = MOST_CHARACTERS / 2
  return text.length <= MOST_CHARACTERS ? text : text.slice(0, half) + "\n" + text.slice(-half)
}

export const Lessons = async ({ client, directory }) => {
  const began = Date.now()
  const parents = new Map() // session -> the session that started it, or nothing
  const models = new Map()
  const fresh = new Set() // sessions that began in this process
  const greeted = new Set()
  const restored = new Map() // session -> words (to come) after its compaction, and the message that carries them
  const errors = new Map() // call that ended in an error -> words about it

  // A bug here must never reach opencode; what denies a call must.
  const guarded = (handler) => async (input, output) => {
    try {
      await handler(input ?? {}, output ?? {})
    } catch (fault) {
      if (fault instanceof Denied) throw fault
    }
  }

  async function parentOf(session) {
    if (!parents.has(session)) {
      let found = ""
      try {
        found = (await client.session.get({ path: { id: session } }))?.data?.parentID ?? ""
      } catch {}
      parents.set(session, found)
    }
    return parents.get(session)
  }

  async function about(session, more) {
    return { session, parent: await parentOf(session), directory, model: models.get(session) ?? "", ...more }
  }

  // A line for the person; without a screen there is nowhere to show it.
  function tell(message) {
    if (message) void client.tui?.showToast?.({ body: { message, variant: "info" } })?.catch?.(() => {})
  }

  async function start(session, source) {
    const isChild = Boolean(await parentOf(session))
    const answer = await ask(isChild ? "SubagentStart" : "SessionStart", await about(session, { source }))
    tell(answer.message)
    return answer.context ?? ""
  }

  return {
    event: guarded(async ({ event }) => {
      const found = event?.properties ?? {}
      if (event?.type === "session.created" && found.info?.id) {
        parents.set(found.info.id, found.info.parentID ?? "")
        fresh.add(found.info.id)
      } else if (event?.type === "session.compacted" && found.sessionID) {
        // The next request waits for them, wherever this handler is by then.
        restored.set(found.sessionID, { words: start(found.sessionID, "compact").catch(() => ""), message: "" })
      } else if (event?.type === "session.idle" && found.sessionID && !(await parentOf(found.sessionID))) {
        tell((await ask("Idle", await about(found.sessionID, {}))).message)
      }
    }),

    "chat.message": guarded(async (input, output) => {
      const session = input.sessionID
      if (input.model?.modelID) models.set(session, input.model.modelID)
      if (!session || greeted.has(session)) return
      greeted.add(session)
      const text = await start(session, fresh.has(session) ? "startup" : "resume")
      const id = "prt_lessons" + Date.now().toString(36) + Math.random().toString(36).slice(2, 10)
      const part = { id, sessionID: session, messageID: output.message.id, type: "text", text, synthetic: true }
      if (text) output.parts.push(part)
    }),

    "tool.execute.before": guarded(async (input, output) => {
      const call = { tool: input.tool, call: input.callID, args: output.args }
      const answer = await ask("BeforeTool", await about(input.sessionID, call))
      tell(answer.message)
      if (answer.deny) throw new Denied(DENIED + answer.deny)
    }),

    "tool.execute.after": guarded(async (input, output) => {
      const metadata = output.metadata ?? {}
      const exit = "exit" in metadata ? { exit: metadata.exit } : {}
      const call = { tool: input.tool, call: input.callID, args: input.args, output: cut(output.output), ...exit }
      const answer = await ask("AfterTool", await about(input.sessionID, call))
      tell(answer.message)
      if (!answer.context) return
      if (typeof output.output === "string") output.output += "\n\n" + answer.context
      else if (Array.isArray(output.content)) output.content.push({ type: "text", text: answer.context })
    }),

    // A call that ended in an error is not told to plugins: it is found here, before the model reads of it.
    "experimental.chat.messages.transform": guarded(async (_, output) => {
      const messages = Array.isArray(output.messages) ? output.messages : []
      for (const { info, parts } of messages) {
        for (const part of parts ?? []) await explain(info, part)
      }
      await carry(messages)
    }),

    "experimental.session.compacting": guarded(async (input, output) => {
      const answer = await ask("Compacting", await about(input.sessionID, {}))
      if (answer.context) output.context.push(answer.context)
    }),
  }

  async function explain(info, part) {
    const state = part?.state
    if (part?.type !== "tool" || state?.status !== "error" || typeof state.error !== "string") return
    if (!errors.has(part.callID)) {
      const isNew = (state.time?.end ?? 0) >= began && !state.error.startsWith(DENIED)
      const call = { tool: part.tool, call: part.callID, args: state.input, output: cut(state.error) }
      errors.set(part.callID, isNew ? (await ask("ToolError", await about(info.sessionID, call))).context ?? "" : "")
    }
    const words = errors.get(part.callID)
    if (words && !state.error.endsWith(words)) part.state = { ...state, error: state.error + "\n\n" + words }
  }

  // The same words in the same message at every request, so that what a provider has cached stays valid.
  async function carry(messages) {
    const session = messages[0]?.info?.sessionID
    const kept = restored.get(session)
    const text = await kept?.words
    if (!text) return
    const users = messages.filter(({ info }) => info?.role === "user")
    const carrier = users.find(({ info }) => info.id === kept.message) ?? users.at(-1)
    if (!carrier) return
    kept.message = carrier.info.id
    const id = "prt_lessons_restored"
    const part = { id, sessionID: session, messageID: kept.message, type: "text", text, synthetic: true }
    if (!carrier.parts.some((each) => each.id === id)) carrier.parts.push(part)
  }
}

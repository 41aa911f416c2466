// The tools in OpenAI's format for function calling, which many frameworks share. Pass `tools` with the request; when a
// message has `tool_calls`, append the messages that `answers` returns and send the request again.
import { runTool, TOOLS } from './tools.mjs'

export const tools = TOOLS.map(({ name, description, schema }) => ({
  type: 'function',
  function: { name, description, parameters: schema },
}))

export async function answers({ tool_calls: calls = [] }) {
  const messages = []
  for (const {
    id,
    function: { name, arguments: text },
  } of calls) {
    const { answer } = await runTool(name, text)
    messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(answer) })
  }
  return messages
}

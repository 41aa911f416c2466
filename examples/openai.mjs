// Tools for models with function calling in OpenAI's form, which many frameworks share. Give `tools` with the request;
// answer a message that has `tool_calls` with the messages of `answers`, and ask again.
import { runTool, TOOLS } from './tools.mjs'

export const tools = TOOLS.map(({ name, description, schema }) => ({
  type: 'function',
  function: { name, description, parameters: schema },
}))

export async function answers({ tool_calls: calls = [] }) {
  const messages = []
  for (const { id, function: { name, arguments: text } } of calls) {
    const { answer } = await runTool(name, JSON.parse(text), id)
    messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(answer) })
  }
  return messages
}

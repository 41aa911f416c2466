// The tools in the format of Anthropic's Messages API. Pass `tools` with the request; when the answer stops for
// `tool_use`, send the message that `answers` returns.
import { runTool, TOOLS } from './tools.mjs'

export const tools = TOOLS.map(({ name, description, schema }) => ({ name, description, input_schema: schema }))

export async function answers({ content: blocks }) {
  const content = []
  for (const { type, id, name, input } of blocks) {
    if (type !== 'tool_use') continue
    const { answer, isError } = await runTool(name, input)
    content.push({ type: 'tool_result', tool_use_id: id, content: JSON.stringify(answer), is_error: isError })
  }
  return { role: 'user', content }
}

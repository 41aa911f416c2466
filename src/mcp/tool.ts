// What a tool is: its names and schemas, as a model sees them, and what it does through the client of the REST interface,
// so that limits, audit and rate limits are the same as there.
import * as v from 'valibot'
import type { Bursar } from '../../sdk/index.js'

/** How a tool reaches the service. */
export interface ToolPorts {
  /** With the key of the caller. */
  bursar: Bursar
  /** The page where people decide on an approval request. */
  approvalUrl: (approvalRequestId: string) => string
  /** Whether the key may execute payments; one that may not asks and reads. */
  mayExecute: boolean
  /** Whether this error of `bursar.fetch` says that nothing is ever sent to the URL. */
  isRefusedUrl: (error: unknown) => boolean
}

export interface ToolAnswer {
  /** As the tool's `output` describes them. */
  fields: { [name: string]: unknown }
  /** What to do now; at least one sentence. */
  nextSteps: string[]
  /** Text that recipients or requesters wrote: shown as data. */
  untrusted?: { [name: string]: string | null | undefined } | undefined
  failure?: { code: string; message: string }
  /** A person must decide, on the page of this approval request. */
  decision?: { url: string; message: string }
}

type InputSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>

export interface Tool {
  name: string
  title: string
  description: string
  /** In place of `description` where the key may not execute. */
  askingDescription?: string
  /** Not offered to a key that may not execute. */
  executes?: true
  input: InputSchema
  /** Fields of a successful answer, beside those that every answer has. */
  output: v.ObjectEntries
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean }
  run: (ports: ToolPorts, input: never) => Promise<ToolAnswer>
}

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true }

/** Defines a tool; the type of its input follows from its schema. */
export function tool<const Input extends InputSchema>(
  row: Omit<Tool, 'input' | 'run'> & {
    input: Input
    run: (ports: ToolPorts, input: v.InferOutput<Input>) => Promise<ToolAnswer>
  },
): Tool {
  return row
}

/** A field of text with its description for the model. */
export function said(description: string) {
  return v.pipe(v.string(), v.description(description))
}

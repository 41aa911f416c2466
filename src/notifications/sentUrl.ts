// A URL in the settings of a channel; where it may lead is checked besides.
import * as v from 'valibot'

const MAX_LENGTH = 2048

export const sentUrl = v.pipe(
  v.string('must be text'),
  v.maxLength(MAX_LENGTH, `must have at most ${MAX_LENGTH} characters`),
)

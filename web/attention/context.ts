// What needs attention, read by the shell and shared with the pages inside it, so that it is read only once.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Loaded } from '../load.js'
import type { Attention } from './read.js'

export const AttentionContext = createContext<Loaded<Attention>>({ reload: () => undefined })

export const useAttention = (): Loaded<Attention> => useContext(AttentionContext)

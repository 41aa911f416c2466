// For `node --import`: the process is one of a later version.
import { register } from 'node:module'

register('./laterHooks.js', import.meta.url)

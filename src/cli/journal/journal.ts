// The table of `bursar journal`: commands for the journal in PostgreSQL that several nodes share. What they do is loaded
// when it is needed, because no other command needs it.
import { showing } from '../terminal/asking.js'

export const journalCommands = {
  'journal status': showing({
    usage: 'journal status',
    summary: 'show what the journal of BURSAR_JOURNAL contains, and which node owns the shard',
    run: async (_, context) => {
      const { journalStatus } = await import('./status.js')
      return journalStatus(context)
    },
  }),
  'journal attach': showing({
    usage: 'journal attach',
    summary: 'begin an empty journal with the data folder of a service; one that runs only answers reads from then on',
    run: async (_, context) => {
      const { attach } = await import('./attach.js')
      return attach(context)
    },
  }),
  'journal detach': showing({
    usage: 'journal detach [--force]',
    summary:
      'turn the data folder of a stopped node into that of a service of its own; --force overrides that another node owns ' +
      'the shard, or that the folder lacks entries',
    run: async ({ has }, context) => {
      const { detach } = await import('./detach.js')
      return detach(context, has('force'))
    },
  }),
  'journal verify': showing({
    usage: 'journal verify [BACKUP]',
    summary: 'rebuild a folder from the journal, or from a backup and the journal, and compare it with the data folder',
    run: async ({ words: [backup] }, context) => {
      const { verifyJournal } = await import('./verify.js')
      return verifyJournal(context, backup)
    },
  }),
  'journal rebuild': showing({
    usage: 'journal rebuild FOLDER [--to SEQUENCE|TIME] [--from BACKUP]',
    summary:
      'rebuild a data folder from the journal; --to ends with an entry, or with what was decided until a time, ' +
      '--from begins with a backup',
    run: async ({ words: [folder], text }, context) => {
      const { rebuild } = await import('./rebuild.js')
      const { endOfRebuild } = await import('./endOfRebuild.js')
      return rebuild(context, { folder: folder!, to: endOfRebuild(text('to')), backup: text('from') })
    },
  }),
  'journal trim': showing({
    usage: 'journal trim BACKUP',
    summary: 'remove the entries from the journal that a backup of a node contains',
    run: async ({ words: [backup] }, context) => {
      const { trim } = await import('./trim.js')
      return trim(context, backup!)
    },
  }),
}

// The rows of the service itself: a request, and variants that differ in one thing.
import { readPlaces, type DataSet } from '../stored/dataSet.js'
import { executionBy, NotRun, postOf, type RowPlan, type Stage } from '../target.js'
import { REQUEST_PATH, WISH } from '../wish.js'
import { agentUnder, lasting, otherOrganization } from '../setup.js'
import { OPERATOR_KEY } from '../stored/population.js'
import { firstAgentOf, requestBy, startOver, WARM_UPS } from './start.js'

/** A new copy for every start. */
export type Copy = () => DataSet

/** Only requests, so that few payments are added to those that are stored. */
export function requestStage(row: RowPlan, copy: Copy): Stage {
  return {
    rows: [row],
    start: async (load) => {
      const service = await startOver(copy())
      return { targets: [service.target(load, row.name, { warmUps: WARM_UPS })], end: service.end }
    },
  }
}

/**
 * The same on a data set that is too large to copy: what is measured stays in it. `dataSet` may be the reason why there
 * is none.
 */
export function storedStage(row: RowPlan, dataSet: DataSet | string): Stage {
  return {
    rows: [row],
    start: async (load) => {
      if (typeof dataSet === 'string') throw new NotRun(dataSet)
      await readPlaces(dataSet)
      const service = await startOver(dataSet)
      return { targets: [service.target(load, row.name, { warmUps: WARM_UPS })], end: service.end }
    },
  }
}

/** Requests of an agent whose delegation has limits, and that no policy applies to. */
export function limitsStage(row: RowPlan, copy: Copy): Stage {
  return {
    rows: [row],
    start: async (load) => {
      const service = await startOver(copy(), { BURSAR_OPERATOR_KEY: OPERATOR_KEY })
      const other = await otherOrganization(service, OPERATOR_KEY)
      await lasting(other)
      const { key } = await agentUnder(other)
      const requests = [postOf(REQUEST_PATH, WISH, key, false)]
      return { targets: [service.target(load, row.name, { requests, warmUps: WARM_UPS })], end: service.end }
    },
  }
}

const ONE: readonly number[] = [64]

export function variantsStage(connections: readonly number[], copy: Copy): Stage {
  return {
    rows: [
      { name: 'request+execute', connections },
      ...['request, 1 rule', 'request, 20 rules', 'request, 100 rules', 'request, 1000 agents', 'request, no key'].map(
        (name) => ({ name, connections: ONE }),
      ),
    ],
    start: async (load) => {
      const service = await startOver(copy())
      const { dataSet } = service
      const key = firstAgentOf(dataSet)
      const everyone = dataSet.agents.map((agent) => requestBy(agent.key))
      const ruled = (rules: number) => ({ requests: [requestBy(dataSet.ruled[rules]!)] })
      return {
        targets: [
          service.target(load, 'request+execute', { follow: executionBy(key), warmUps: WARM_UPS }),
          service.target(load, 'request, 1 rule', ruled(1)),
          service.target(load, 'request, 20 rules', ruled(20)),
          service.target(load, 'request, 100 rules', ruled(100)),
          service.target(load, 'request, 1000 agents', { requests: everyone, warmUps: WARM_UPS }),
          service.target(load, 'request, no key', { requests: [postOf(REQUEST_PATH, WISH, key, false)] }),
        ],
        end: service.end,
      }
    },
  }
}

// The notification channels: where people are told of alerts and approval requests.
import { api } from '../api.js'
import { Time } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { ChannelForm, EditChannel } from '../components/channelForm.js'
import { channelEventName, configText } from '../components/channelNames.js'
import { TestChannel } from '../components/channelTest.js'
import { Confirm, Opening } from '../components/dialog.js'
import { ListPage } from '../components/list.js'
import { NameCell } from '../components/nameCell.js'
import { actionColumn, TwoLines, type Columns } from '../components/table.js'
import { useList } from '../load.js'
import type { PageProps } from '../page.js'
import type { Channel } from '../records.js'
import { useMay } from '../session.js'

const EVERY_MS = 5000

export default function Channels({ query }: PageProps) {
  const may = useMay('ADMIN')
  const channels = useList('GET /api/channels', 'channels', {}, { everyMs: EVERY_MS })
  const create = may && (
    <Opening label="New channel" icon="plus" title="New channel" class="primary">
      <ChannelForm onDone={channels.reload} />
    </Opening>
  )
  return (
    <ListPage
      title="Channels"
      lead="Where people are told of alerts and approval requests: mail, Slack, or a signed request to a system of yours."
      actions={create}
      path="channels"
      query={query}
      filters={[]}
      of={channels}
      columns={columnsFor(may, channels.reload)}
      none={{
        icon: 'channels',
        title: 'No channels yet',
        children: 'Without one, alerts and approval requests are shown here alone.',
      }}
    />
  )
}

const columnsFor = (may: boolean, reload: () => void): Columns<Channel> => [
  {
    head: 'Name',
    cell: (channel) => <NameCell name={channel.name} about={configText(channel)} id={channel.id} what="channel id" />,
  },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  { head: 'Events', cell: ({ events }) => events.map(channelEventName).join(', ') },
  {
    head: 'Last delivery',
    cell: ({ lastDelivery: last }) =>
      last ? <TwoLines first={<Badge status={last.status} />} second={<Time at={last.at} />} /> : 'none',
  },
  may && actionColumn((channel) => <Actions of={channel} reload={reload} />),
]

function Actions({ of, reload }: { of: Channel; reload: () => void }) {
  const { id: channelId, name, status } = of
  const path = { channelId }
  const set = (next: Channel['status']) => api.call('PATCH /api/channels/{channelId}', { path, body: { status: next } })
  return (
    <>
      {status === 'ACTIVE' && <TestChannel of={of} reload={reload} />}
      <Opening label="Edit" about={name} title={`Edit ${name}`}>
        <EditChannel of={of} onDone={reload} />
      </Opening>
      {status === 'ACTIVE' ? (
        <Confirm
          label="Pause"
          about={name}
          title={`Pause ${name}?`}
          act={() => set('PAUSED')}
          after={reload}
          done={`${name} is paused`}
        >
          Nothing is sent to it until it is resumed. What happens meanwhile is not sent later.
        </Confirm>
      ) : (
        <Confirm
          label="Resume"
          about={name}
          title={`Resume ${name}?`}
          act={() => set('ACTIVE')}
          after={reload}
          done={`${name} is active`}
        >
          It is told of what happens from now on.
        </Confirm>
      )}
      <Confirm
        label="Remove"
        about={name}
        title={`Remove ${name}?`}
        danger
        act={() => api.call('DELETE /api/channels/{channelId}', { path })}
        after={reload}
        done={`${name} was removed`}
      >
        Pending messages are discarded. This cannot be undone.
      </Confirm>
    </>
  )
}

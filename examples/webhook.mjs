// Receives webhook events, accepts only deliveries that the service signed, and processes each once.
//   BURSAR_WEBHOOK_SECRET=whsec_… PORT=8080 node examples/webhook.mjs
import { createServer } from 'node:http'
import { BursarError, verifyWebhook } from 'bursar/sdk'

const { BURSAR_WEBHOOK_SECRET, PORT = '8080' } = process.env
if (!BURSAR_WEBHOOK_SECRET) {
  console.error('Set BURSAR_WEBHOOK_SECRET to the signing secret')
  process.exit(2)
}
// A real receiver would store these in its database.
const seen = new Set()

async function receive(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const event = await verifyWebhook(Buffer.concat(chunks), request.headers, BURSAR_WEBHOOK_SECRET)
  if (seen.has(event.deliveryId)) return
  seen.add(event.deliveryId)
  console.log(`${event.event} ${JSON.stringify(event.data)}`)
}

const server = createServer(async (request, response) => {
  try {
    await receive(request)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof BursarError ? error.status : 500).end()
  }
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on port ${server.address().port}`))

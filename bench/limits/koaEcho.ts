// The second limit: the same echo with Koa and its usual body parser.
import { createServer } from 'node:http'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import { listenForParent } from '../listening.js'

const app = new Koa()
app.use(koaBody())
app.use((context) => {
  context.body = (context.request as unknown as { body: object }).body
})

listenForParent(createServer(app.callback()))

-- What the bench asks of Redis: the same authorization as one script, which nothing comes between. Redis gives scripts
-- no SHA-256, so the audit log is chained by SHA-1.
local organization, agent, key, id, now = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local bodyHash, amount, recipient, category = ARGV[6], tonumber(ARGV[7]), ARGV[8], ARGV[9]
local terms, day, week, month = ARGV[10], ARGV[11], ARGV[12], ARGV[13]

local idempotency = 'idempotency:' .. agent .. ':' .. key
local known = redis.call('HMGET', idempotency, 'bodyHash', 'answer')
if known[1] then
  if known[1] ~= bodyHash then return redis.error_reply('the key was used for another body') end
  return known[2]
end

local function fields(name, ...)
  return redis.call('HMGET', name, ...)
end

local payer = fields('agent:' .. agent, 'status', 'delegation', 'day', 'daySum')
local rules = fields('policy:' .. organization, 'maxAmount', 'validFrom', 'validUntil', 'dayLimit')
local leaveName = 'delegation:' .. payer[2]
local leave = fields(leaveName, 'wallet', 'paymentLimit', 'dayLimit', 'weekLimit', 'monthLimit',
  'day', 'daySum', 'week', 'weekSum', 'month', 'monthSum')
local purseName = 'wallet:' .. leave[1]
local purse = fields(purseName, 'status', 'balance', 'held')
local counterparty = 'counterparty:' .. organization .. ':' .. recipient
redis.call('HSETNX', counterparty, 'status', 'UNKNOWN')

local function sumOf(window, current, sum)
  return window == current and tonumber(sum) or 0
end
local agentDay = sumOf(payer[3], day, payer[4])
local daySum, weekSum, monthSum =
  sumOf(leave[6], day, leave[7]), sumOf(leave[8], week, leave[9]), sumOf(leave[10], month, leave[11])

local reasons = {}
local function against(broken, reason)
  if broken then reasons[#reasons + 1] = reason end
end
against(payer[1] ~= 'ACTIVE', 'the agent is not active')
against(amount > tonumber(rules[1]), 'MAX_AMOUNT')
against(redis.call('SISMEMBER', 'categories:' .. organization, category) == 0, 'ALLOWED_CATEGORIES')
against(redis.call('SISMEMBER', 'blocked:' .. organization, recipient) == 1, 'BLOCKED_COUNTERPARTIES')
against(tonumber(now) < tonumber(rules[2]) or tonumber(now) >= tonumber(rules[3]), 'DATE_RANGE')
against(agentDay + amount > tonumber(rules[4]), 'DAILY_LIMIT')
against(amount > tonumber(leave[2]), 'the delegation, a payment')
against(daySum + amount > tonumber(leave[3]), 'the delegation, a day')
against(weekSum + amount > tonumber(leave[4]), 'the delegation, a week')
against(monthSum + amount > tonumber(leave[5]), 'the delegation, a month')
against(purse[1] ~= 'ACTIVE' or tonumber(purse[2]) - tonumber(purse[3]) < amount, 'the wallet')
against(redis.call('HGET', counterparty, 'status') == 'BLOCKED', 'the recipient is blocked')

local status = #reasons == 0 and 'APPROVED' or 'DENIED'
local expiresAt = string.format('%.0f', tonumber(now) + 86400000)
if status == 'APPROVED' then
  redis.call('HSET', 'agent:' .. agent, 'day', day, 'daySum', string.format('%.0f', agentDay + amount))
  redis.call('HSET', leaveName,
    'day', day, 'daySum', string.format('%.0f', daySum + amount),
    'week', week, 'weekSum', string.format('%.0f', weekSum + amount),
    'month', month, 'monthSum', string.format('%.0f', monthSum + amount))
  redis.call('HINCRBY', purseName, 'held', amount)
  redis.call('ZADD', 'expiries', expiresAt, id)
end
local said = table.concat(reasons, ', ')
redis.call('HSET', 'payment:' .. id, 'organization', organization, 'agent', agent, 'delegation', payer[2],
  'wallet', leave[1], 'amount', amount, 'recipient', recipient, 'terms', terms, 'status', status, 'reasons', said,
  'createdAt', now, 'expiresAt', expiresAt)
redis.call('ZADD', 'payments:' .. agent, now, id)

local log = 'audit:' .. organization
local head = redis.call('HGET', 'audit-head', organization) or ''
local sequence = redis.call('LLEN', log) + 1
local entry = cjson.encode({
  action = 'payment.request', resource = 'payment', resourceId = id, agent = agent, at = now,
  data = { status = status, terms = terms, reasons = said },
})
local hash = redis.sha1hex(head .. sequence .. entry)
redis.call('RPUSH', log, cjson.encode({ sequence = sequence, previous = head, hash = hash, entry = entry }))
redis.call('HSET', 'audit-head', organization, hash)
local event = { organization = organization, event = 'payment.decided', data = entry, dueAt = now }
redis.call('RPUSH', 'outbox', cjson.encode(event))

local answer = cjson.encode({ id = id, status = status, reasons = said, expiresAt = expiresAt, wallet = leave[1] })
redis.call('HSET', idempotency, 'bodyHash', bodyHash, 'answer', answer)
return answer

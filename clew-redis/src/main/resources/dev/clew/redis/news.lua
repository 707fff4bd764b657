-- What happened after a version, of one moment. KEYS session, changes, items; ARGV version, page
local m = redis.call('HMGET', KEYS[1], 'version', 'born', 'floor')
if not m[1] then return {} end
local head = {m[1], m[2] or '0', m[3] or '0'}
if tonumber(m[1]) <= tonumber(ARGV[1]) then return {head, {}, {}, {}} end
local after = '(' .. ARGV[1]
local changes = redis.call('ZRANGEBYSCORE', KEYS[2], after, '+inf', 'LIMIT', 0, ARGV[2])
local added =
  redis.call('ZRANGEBYSCORE', KEYS[3], after, '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2])
local now = {}
for i, change in ipairs(changes) do
  local kind, position = string.match(change, '^%S+ (%S+) (%S+)$')
  if kind == 'edited' then
    now[i] = redis.call('ZRANGEBYSCORE', KEYS[3], position, position, 'WITHSCORES')
  elseif kind == 'replaced' then
    now[i] = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', position, 'WITHSCORES')
  else
    now[i] = {}
  end
end
return {head, changes, added, now}

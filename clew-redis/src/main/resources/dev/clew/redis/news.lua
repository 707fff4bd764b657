-- What happened after a version, of one moment. KEYS session, changes, items; ARGV version, page
local m = redis.call('HMGET', KEYS[1], 'version', 'born', 'floor')
if not m[1] then return {} end
local head = {m[1], m[2] or '0', m[3] or '0'}
if tonumber(m[1]) <= tonumber(ARGV[1]) then return {head, {}, {}, {}} end
local changes =
  redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])
local from = seek(KEYS[3], ARGV[1] + 1)
local added = redis.call('LRANGE', KEYS[3], from, from + ARGV[2] - 1)
local now = {}
for i, change in ipairs(changes) do
  local kind, position = string.match(change, '^%S+ (%S+) (%S+)$')
  now[i] = {}
  if kind == 'edited' then
    local _, item = find(KEYS[3], position)
    if item then now[i] = {item} end
  elseif kind == 'replaced' then
    local upTo = seek(KEYS[3], position + 1)
    if upTo > 0 then now[i] = redis.call('LRANGE', KEYS[3], 0, upTo - 1) end
  end
end
return {head, changes, added, now}

-- What happened after a version, of one moment; items newest first. KEYS session, changes, items; ARGV version, page
local m = redis.call('HMGET', KEYS[1], 'version', 'born', 'floor')
if not m[1] then return {} end
local head = {m[1], m[2] or '0', m[3] or '0'}
if tonumber(m[1]) <= tonumber(ARGV[1]) then return {head, {}, {}, {}} end
local changes =
  redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])
local newer = after(KEYS[3], tonumber(ARGV[1]))
local added = live(KEYS[3], newer - ARGV[2], newer - 1)
local now = {}
for i, change in ipairs(changes) do
  local kind, position = string.match(change, '^%S+ (%S+) (%S+)$')
  now[i] = {}
  if kind == 'edited' then
    local _, item = find(KEYS[3], position)
    if item then now[i] = {item} end
  elseif kind == 'replaced' then
    now[i] = redis.call('LRANGE', KEYS[3], after(KEYS[3], tonumber(position)), -1)
  end
end
return {head, changes, added, now}

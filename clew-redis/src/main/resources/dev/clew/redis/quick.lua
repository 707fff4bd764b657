-- Appends to a session that exists, without conditions: the commonest change by far, and without the
-- functions of session.lua, whose making takes longer than this. Anything else is left to append.lua.
-- KEYS session, items, ids, updated, watch; ARGV 1 now, 2 default time to live or '', 3 newest
-- version seen, 4 id, 5 bytes, 6 '1' if an item has an id of its own, 7… items
local m = redis.call('HMGET', KEYS[1], 'version', 'updated', 'items', 'bytes', 'ttl', 'due')
local version, added, life = m[1], m[2], m[5]
if not life or life == '' then life = ARGV[2] end
if not added or ARGV[3] + 0 > version + 0 or ARGV[3] + 0 < 0
    or (life ~= '' and (not m[6] or added + life <= ARGV[1] + 0)) then
  return {'SLOW'}
end
if ARGV[1] + 0 > added + 0 then
  added = ARGV[1]
  redis.call('ZADD', KEYS[4], '-' .. added, ARGV[4])
end
local count, batch, middle = #ARGV - 6, {}, ' ' .. added .. ' '
for i = 1, count do
  local p = version + i
  local item = ARGV[i + 6]
  p = tostring(p)
  if ARGV[6] == '1' then
    local key = string.match(item, '^%S+ (%S+) ')
    if key ~= '-' then redis.call('ZADD', KEYS[3], 0, key .. ':' .. p) end
  end
  batch[i] = p .. ' ' .. p .. middle .. item
end
for i = 1, count, 4000 do
  redis.call('RPUSH', KEYS[2], unpack(batch, i, math.min(i + 3999, count)))
end
local newest = tostring(version + count)
redis.call('HSET', KEYS[1], 'version', newest, 'updated', added, 'items', tostring(m[3] + count),
  'bytes', tostring(m[4] + ARGV[5]))
if redis.call('EXISTS', KEYS[5]) == 1 then redis.call('PUBLISH', KEYS[5], newest) end
return {'OK', tostring(version + 1), newest}

-- Appends to a session that exists, without conditions: the commonest change by far, so it does
-- without the functions of session.lua. Anything else is left to append.lua.
-- KEYS session, items, ids, updated, watch; ARGV 1 now, 2 default time to live or '', 3 the version
-- that the caller believes in, negative if it was lost, 4 id, 5 bytes, 6 '1' if an item has an id of
-- its own, 7… items, which already have the positions and the time they get if the version is right
local call = redis.call
local m = call('HMGET', KEYS[1], 'version', 'updated', 'items', 'bytes', 'ttl', 'due')
local version, added, life, known = tonumber(m[1]), m[2], m[5], tonumber(ARGV[3])
if not life or life == '' then life = ARGV[2] end
if not added or known > version or known < 0
    or (life ~= '' and (not m[6] or added + life <= tonumber(ARGV[1]))) then
  return {}
end
local late = tonumber(ARGV[1]) - added
if late > 0 then call('ZADD', KEYS[4], '-' .. ARGV[1], ARGV[4]) end
if late >= 0 then added = ARGV[1] end
if known ~= version or late < 0 then
  for i = 7, #ARGV do
    local p = tostring(version + i - 6)
    ARGV[i] = table.concat({p, p, added, string.match(ARGV[i], '^%S+ %S+ %S+ (.*)$')}, ' ')
  end
end
if ARGV[6] == '1' then
  for i = 7, #ARGV do
    local p, key = string.match(ARGV[i], '^(%S+) %S+ %S+ %S+ (%S+) ')
    if key ~= '-' then call('ZADD', KEYS[3], 0, key .. ':' .. p) end
  end
end
local count = #ARGV - 6
local newest = tostring(version + count)
local head = newest .. ' ' .. added .. ' ' .. (m[5] and m[5] ~= '' and m[5] or '-')
-- The first item takes the place of the head; the new head comes after the last. If somebody took
-- the head away, an item stands there.
local front = redis.pcall('LINDEX', KEYS[2], 0)
if type(front) == 'table' then return front end
if not front or string.find(front, '^%d+ %d+ ') then return {} end
call('LSET', KEYS[2], 0, ARGV[7])
ARGV[#ARGV + 1] = 'head ' .. head .. ' ' .. head
for i = 8, #ARGV, 4000 do
  call('LPUSH', KEYS[2], unpack(ARGV, i, math.min(i + 3999, #ARGV)))
end
call('HSET', KEYS[1], 'version', newest, 'updated', added, 'items', tostring(m[3] + count),
  'bytes', tostring(m[4] + ARGV[5]))
if call('EXISTS', KEYS[5]) == 1 then call('PUBLISH', KEYS[5], newest) end
return {newest}

-- Some of a history, of one moment, in the direction of reading. KEYS session, items, archive,
-- places; ARGV cursor or '', '1' for backward, how many, '1' to have the archive before the rest
local I, A = KEYS[2], KEYS[3]
local cursor, want = ARGV[1], tonumber(ARGV[3])
local head = redis.call('HMGET', KEYS[1], 'created', 'updated', 'ttl', 'version')
local place = cursor ~= '' and ARGV[4] == '1' and redis.call('HGET', KEYS[4], cursor)
local archived, live = {}, {}
local function range(list, first, last)
  if last < first or last < 0 then return {} end
  return redis.call('LRANGE', list, math.max(first, 0), last)
end
if ARGV[2] == '1' then
  if not place then
    local before = cursor == '' and redis.call('LLEN', I) or seek(I, tonumber(cursor))
    live = range(I, before - want, before - 1)
  end
  if ARGV[4] == '1' and #live < want then
    local before = place and tonumber(place) or redis.call('LLEN', A)
    archived = range(A, before - (want - #live), before - 1)
  end
else
  local inside = cursor ~= '' and not place
  if ARGV[4] == '1' and not inside then
    local from = place and place + 1 or 0
    archived = range(A, from, from + want - 1)
  end
  if #archived < want then
    local from = inside and seek(I, cursor + 1) or 0
    live = range(I, from, from + want - #archived - 1)
  end
end
return {head, archived, live}

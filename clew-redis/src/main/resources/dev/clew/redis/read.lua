-- Some of a history, of one moment: from the archive, oldest first, and from the rest, newest first.
-- KEYS session, items, archive, places; ARGV cursor or '', '1' for backward, how many, '1' to have
-- the archive before the rest
local I, A = KEYS[2], KEYS[3]
local cursor, want = ARGV[1], tonumber(ARGV[3])
local head = redis.call('HMGET', KEYS[1], 'created', 'updated', 'ttl', 'version')
local place = cursor ~= '' and ARGV[4] == '1' and redis.call('HGET', KEYS[4], cursor)
local archived, items = {}, {}
if ARGV[2] == '1' then
  if not place then
    local from = cursor == '' and 1 or after(I, cursor - 1)
    items = live(I, from, from + want - 1)
  end
  if ARGV[4] == '1' and #items < want then
    local before = place and tonumber(place) or redis.call('LLEN', A)
    archived = range(A, before - (want - #items), before - 1)
  end
else
  local inside = cursor ~= '' and not place
  if ARGV[4] == '1' and not inside then
    local from = place and place + 1 or 0
    archived = range(A, from, from + want - 1)
  end
  if #archived < want then
    local newer = inside and after(I, tonumber(cursor)) or redis.call('LLEN', I)
    items = live(I, newer - (want - #archived), newer - 1)
  end
end
return {head, archived, items}

-- The archive and then the history, of one moment. KEYS session, items, archive, places;
-- ARGV cursor or '', '1' for backward, how many
local cursor, want = ARGV[1], tonumber(ARGV[3])
local head = redis.call('HMGET', KEYS[1], 'created', 'updated', 'ttl', 'version')
local place = cursor ~= '' and redis.call('HGET', KEYS[4], cursor)
local archived, live = {}, {}
local function left() return want - (#archived + #live) / 2 end
if ARGV[2] == '1' then
  if not place then
    live = redis.call('ZREVRANGEBYSCORE', KEYS[2], cursor == '' and '+inf' or '(' .. cursor,
      '-inf', 'WITHSCORES', 'LIMIT', 0, want)
  end
  if left() > 0 then
    archived = redis.call('ZREVRANGEBYSCORE', KEYS[3], place and '(' .. place or '+inf',
      '-inf', 'WITHSCORES', 'LIMIT', 0, left())
  end
else
  local inside = cursor ~= '' and not place
  if not inside then
    archived = redis.call('ZRANGEBYSCORE', KEYS[3], place and '(' .. place or '-inf', '+inf',
      'WITHSCORES', 'LIMIT', 0, want)
  end
  if left() > 0 then
    live = redis.call('ZRANGEBYSCORE', KEYS[2], inside and '(' .. cursor or '-inf', '+inf',
      'WITHSCORES', 'LIMIT', 0, left())
  end
end
return {head, archived, live}

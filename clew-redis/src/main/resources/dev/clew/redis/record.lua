-- KEYS records, names, ends, newest version; ARGV 1 what, 2 now, 3 name, 4 '1' if registered,
-- 5 expected version or '', 6 when it ends or '', 7 text
local R, N, E, V = unpack(KEYS)
local now = tonumber(ARGV[2])
local function remove(name)
  redis.call('HDEL', R, name)
  redis.call('ZREM', N, name)
  redis.call('ZREM', E, name)
end
if ARGV[1] == 'sweep' then
  local old = redis.call('ZRANGEBYSCORE', E, '-inf', ARGV[2], 'LIMIT', 0, ARGV[3])
  for _, name in ipairs(old) do remove(name) end
  return {tostring(#old), redis.call('ZRANGE', E, 0, 0, 'WITHSCORES')[2] or ''}
end
local before = redis.call('HGET', R, ARGV[3])
local version, ends = '0', nil
if before then
  version, ends = string.match(before, '^(%d+) (%d*) ')
  if ends ~= '' and tonumber(ends) <= now then version = '0' end
end
if ARGV[1] == 'delete' then
  if before then remove(ARGV[3]) end
  return {version == '0' and 'ABSENT' or 'OK'}
end
if ARGV[5] ~= '' and ARGV[5] ~= version then return {'VERSION', version} end
if ARGV[4] ~= '1' then
  local first = redis.call('ZRANGE', E, 0, 0, 'WITHSCORES')[2]
  if redis.call('EXISTS', N) == 0
      or (ARGV[6] ~= '' and (not first or tonumber(ARGV[6]) < tonumber(first))) then
    return {'REGISTER', ARGV[6]}
  end
end
local last = tonumber(redis.call('GET', V) or 0)
local new = string.format('%.0f', math.max(last + 1, now))
redis.call('SET', V, new)
redis.call('ZADD', N, 0, ARGV[3])
if ARGV[6] == '' then redis.call('ZREM', E, ARGV[3]) else redis.call('ZADD', E, ARGV[6], ARGV[3]) end
redis.call('HSET', R, ARGV[3], new .. ' ' .. ARGV[6] .. ' ' .. ARGV[7])
return {'OK', new}

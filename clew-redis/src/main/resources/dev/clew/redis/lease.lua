-- KEYS leases, fences; ARGV 1 what, 2 now, 3 lease, 4 holder, 5 when it ends, 6 fence
local fence, ends, holder
local held = redis.call('HGET', KEYS[1], ARGV[3])
if held then fence, ends, holder = string.match(held, '^(%d+) (%d+) (.*)$') end
local function put(f)
  redis.call('HSET', KEYS[1], ARGV[3], f .. ' ' .. ARGV[5] .. ' ' .. ARGV[4])
  return {f, ARGV[5]}
end
if ARGV[1] == 'acquire' then
  if held and tonumber(ends) > tonumber(ARGV[2]) then
    return holder == ARGV[4] and put(fence) or {}
  end
  -- The counter outlives the leases, and starts above the clock: a fence is never given out twice.
  local last = tonumber(redis.call('GET', KEYS[2]) or 0)
  local f = string.format('%.0f', math.max(last + 1, tonumber(ARGV[2])))
  redis.call('SET', KEYS[2], f)
  if redis.call('HLEN', KEYS[1]) > 1000 then
    -- Those that ended a day ago, among some of them: enough to keep the rest small.
    local some = redis.call('HSCAN', KEYS[1], tonumber(f) % 1024, 'COUNT', 50)[2]
    for i = 1, #some, 2 do
      local old = string.match(some[i + 1], '^%d+ (%d+) ')
      if tonumber(old) < tonumber(ARGV[2]) - 86400000 then redis.call('HDEL', KEYS[1], some[i]) end
    end
  end
  return put(f)
end
if not held or fence ~= ARGV[6] or holder ~= ARGV[4] then return {} end
if ARGV[1] == 'renew' and ends == '0' then return {} end
return put(fence)

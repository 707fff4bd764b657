-- 13 position, 14 '1' to drop what was there, 15 bytes, 16 '1' if an item has an id, 17 position
-- they were made for or '', 18 times of their own or '', 19… items
if expired() then wipe() end
local no = refused()
if no then return no end
local kept = alive and after(I, tonumber(ARGV[13])) or 0
local before = alive and call('LRANGE', I, kept, -1) or {}
local count = #ARGV - 18
if #before == 0 then
  if count > 0 then return {'NOPREFIX'} end
  if ARGV[14] == '1' and alive then call('UNLINK', A, X) end
  return {'OK', alive and n(version) or '0', '-', '-'}
end
no = misplaced(ARGV[17], low - count)
if no then return no end
local times = timesOf(ARGV[18], 0)
touch(times)
reserve()
if ARGV[14] == '1' then call('UNLINK', A, X) end
for i = #before, 1, -1 do
  local item = before[i]
  leave(item)
  if ARGV[14] ~= '1' then
    local place = call('RPUSH', A, item) - 1
    local p = positionOf(item)
    if p then call('HSET', X, p, place) end
  end
end
call('LTRIM', I, 0, kept - 1)
change('replaced', ARGV[13])
local first, last = '-', '-'
if count > 0 then
  low = low - count
  first, last = n(low), n(low + count - 1)
  insert(false, low, 19, ARGV[15], ARGV[16], times)
end
save('low', n(low))
return done(first, last)

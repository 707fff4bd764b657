-- 13 position, 14 '1' to drop what was there, 15 bytes, 16 '1' if an item has an id, 17… items
if expired() then wipe() end
local no = refused()
if no then return no end
local upTo = alive and seek(I, ARGV[13] + 1) or 0
local before = upTo > 0 and call('LRANGE', I, 0, upTo - 1) or {}
local count = #ARGV - 16
if #before == 0 then
  if count == 0 then return {'OK', alive and n(version) or '0', '-', '-'} end
  return {'NOPREFIX'}
end
touch()
reserve()
for _, item in ipairs(before) do
  leave(item)
  if ARGV[14] ~= '1' then
    local place = call('RPUSH', A, item) - 1
    local p = positionOf(item)
    if p then call('HSET', X, p, place) end
  end
end
call('LTRIM', I, upTo, -1)
change('replaced', ARGV[13])
local first, last = '-', '-'
if count > 0 then
  low = low - count
  first, last = n(low), n(low + count - 1)
  insert('LPUSH', low, 17, ARGV[15], ARGV[16])
end
save('low', n(low))
return done(first, last)

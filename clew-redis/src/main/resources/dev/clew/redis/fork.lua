-- 13 bytes, 14 '1' if an item has an id, 15 title to list it by, 16 own time to live or '',
-- 17 position the items were made for or '', 18 how many names and values, 19… those, then items that
-- keep their times
if expired() then wipe() end
if alive then return {'EXISTS'} end
if ARGV[16] ~= '' then life, own = tonumber(ARGV[16]), ARGV[16] end
local no = misplaced(ARGV[17], (version == 0 and now or version) + 2) or unregistered()
if no then return no end
touch()
remark(19, 18 + tonumber(ARGV[18]))
if ARGV[15] ~= '' then
  call('ZREM', T, '\n' .. id)
  call('ZADD', T, 0, ARGV[15] .. '\n' .. id)
end
version = version + 1
local count = tonumber(ARGV[18])
local f = {'ttl', ARGV[16], 'title_key', ARGV[15]}
for i = 19, 18 + count do f[#f + 1] = ARGV[i] end
for i = 19 + count, #ARGV do
  version = version + 1
  local p = n(version)
  local key = match(ARGV[i], '^%S+ %S+ (%S+) ')
  if key and key ~= '-' then call('ZADD', K, 0, key .. ':' .. p) end
  call('LPUSH', I, p .. ' ' .. p .. ' ' .. ARGV[i])
  items = items + 1
end
bytes = tonumber(ARGV[13])
save(unpack(f))
return {'OK', call('HGETALL', S)}

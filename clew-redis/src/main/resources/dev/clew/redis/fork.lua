-- 13 bytes, 14 '1' if an item has an id, 15 title to list it by, 16 own time to live or '',
-- 17 how many names and values, 18… those, then items that keep their times
if expired() then wipe() end
if alive then return {'EXISTS'} end
if ARGV[16] ~= '' then life, own = tonumber(ARGV[16]), ARGV[16] end
local no = unregistered()
if no then return no end
touch()
if ARGV[15] ~= '' then
  call('ZREM', T, '\n' .. id)
  call('ZADD', T, 0, ARGV[15] .. '\n' .. id)
end
version = version + 1
local count = tonumber(ARGV[17])
local f = {'ttl', ARGV[16], 'title_key', ARGV[15]}
for i = 18, 17 + count do f[#f + 1] = ARGV[i] end
for i = 18 + count, #ARGV do
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

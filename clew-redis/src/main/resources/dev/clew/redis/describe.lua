-- 13 time to live, '' to leave it, 'default' for the store's; 14 '1' if 15 is the title to list it
-- by; 16 when it was made and updated elsewhere, or ''; 17… names and values
if expired() then wipe() end
local no = refused()
if no then return no end
if ARGV[13] == 'default' then
  life, own = tonumber(ARGV[2]), nil
elseif ARGV[13] ~= '' then
  life, own = tonumber(ARGV[13]), ARGV[13]
end
local times = timesOf(ARGV[16], 0)
no = unregistered(times)
if no then return no end
call('LLEN', I) -- fails while nothing is written if that is no list
local made = tonumber(alive or nil)
if not alive or times then touch(times) end
local gone = remark(17, #ARGV)
local f = {}
for i = 17, #ARGV do f[#f + 1] = ARGV[i] end
if times and made and times[1] < made then
  call('ZADD', C, '-' .. n(times[1]), id)
  f[#f + 1] = 'created'
  f[#f + 1] = n(times[1])
end
if ARGV[14] == '1' then
  call('ZADD', T, 0, ARGV[15] .. '\n' .. id)
  if ARGV[15] ~= title then call('ZREM', T, title .. '\n' .. id) end
  f[#f + 1] = 'title_key'
  f[#f + 1] = ARGV[15]
end
if ARGV[13] ~= '' then
  f[#f + 1] = 'ttl'
  f[#f + 1] = ARGV[13] == 'default' and '' or ARGV[13]
end
unmark(gone)
change('described', '0')
save(unpack(f))
return {'OK', call('HGETALL', S)}

-- 13 time to live, '' to leave it, 'default' for the store's; 14 '1' if 15 is the title to list it
-- by; 16… names and values
if expired() then wipe() end
local no = refused()
if no then return no end
if ARGV[13] == 'default' then
  life, own = tonumber(ARGV[2]), nil
elseif ARGV[13] ~= '' then
  life, own = tonumber(ARGV[13]), ARGV[13]
end
no = unregistered()
if no then return no end
call('LLEN', I) -- fails while nothing is written if that is no list
if not alive then touch() end
local gone = remark(16, #ARGV)
local f = {}
for i = 16, #ARGV do f[#f + 1] = ARGV[i] end
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

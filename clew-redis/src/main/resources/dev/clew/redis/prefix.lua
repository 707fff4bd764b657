-- 13 position, 14 '1' to drop what was there, 15 bytes, 16 '1' if an item has an id, 17… items
if expired() then wipe() end
local no = refused()
if no then return no end
local before = alive and call('ZRANGEBYSCORE', I, '-inf', ARGV[13]) or {}
local count = #ARGV - 16
if #before == 0 then
  if count == 0 then return {'OK', alive and n(version) or '0', '-', '-'} end
  return {'NOPREFIX'}
end
touch()
reserve()
local archived = tonumber(call('HGET', S, 'archived_items') or 0)
for _, member in ipairs(before) do
  leave(member)
  if ARGV[14] ~= '1' then
    archived = archived + 1
    call('ZADD', A, archived, member)
    local p = match(member, '^%S+')
    if p then call('HSET', X, p, archived) end
  end
end
call('ZREMRANGEBYSCORE', I, '-inf', ARGV[13])
change('replaced', ARGV[13])
local first, last = '-', '-'
if count > 0 then
  low = low - count
  first, last = n(low), n(low + count - 1)
  insert(low, 17, ARGV[15], ARGV[16])
end
save('low', n(low), 'archived_items', n(archived))
return done(first, last)

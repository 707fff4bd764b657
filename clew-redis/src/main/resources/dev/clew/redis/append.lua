-- 13 bytes, 14 '1' if an item has an id of its own, 15… items
if expired() then wipe() end
local no = refused()
if no then return no end
if #ARGV < 15 then return {'OK', alive and n(version) or '0', '-', '-'} end
no = unregistered()
if no then return no end
touch()
reserve()
local first = version + 1
insert(true, first, 15, ARGV[13], ARGV[14])
version = version + #ARGV - 14
save()
return done(n(first), n(version))

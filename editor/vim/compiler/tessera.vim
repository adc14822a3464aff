" Vim compiler file: :make checks the file, :cnext jumps to the next message.
if exists("current_compiler")
  finish
endif
let current_compiler = "tessera"
CompilerSet makeprg=tessera\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m
CompilerSet errorformat+=%f:%l:\ %trror:\ %m,%f:%l:\ %tarning:\ %m,%f:%l:\ %tote:\ %m

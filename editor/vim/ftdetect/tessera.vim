" File types: assembly for the VideoCore IV QPU, the Mali Utgard GP and the Adreno A2xx.
autocmd BufNewFile,BufRead *.qasm,*.qinc set filetype=tesseraqpu
autocmd BufNewFile,BufRead *.gp set filetype=tesseragp
autocmd BufNewFile,BufRead *.a2xx set filetype=tesseraa2xx

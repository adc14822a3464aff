" What files are: assembly for the VideoCore IV, the Mali Utgard GP, the Adreno A2xx.
autocmd BufNewFile,BufRead *.qasm,*.qinc set filetype=tesseraqpu
autocmd BufNewFile,BufRead *.gp set filetype=tesseragp
autocmd BufNewFile,BufRead *.a2xx set filetype=tesseraa2xx

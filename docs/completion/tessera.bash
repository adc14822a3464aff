# SPDX-License-Identifier: MIT
# bash completion for tessera. Made by scripts/make-manual from what "tessera VERB --help" prints.

# True if a word of "tessera qpu" or "tessera gl" is the program already. All words after the program belong to the program.
_tessera_has_program()
{
    local i
    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            --baseline | --board | --capture | --color | --config | --count | --driver | --fail-on | --findings | --format | --frames | --hang | --jobs | --max-messages | --memory | --mode | --rule | --source | --threads | --timeout | --trace) ((i++)) ;;
            --) return 0 ;;
            -* | =) ;;
            *) [[ ${COMP_WORDS[i - 1]} == = ]] || return 0 ;;
        esac
    done
    return 1
}

_tessera_words()
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_tessera()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} program=${COMP_WORDS[0]} options=
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _tessera_words 'asm dis check run decode qpu gl new tutorial help --help --version' "$word"
        return
    fi
    [[ $verb == @(qpu|gl) ]] && _tessera_has_program && return
    # "--option=value" is three words here, "RULE=LEVEL", too.
    local at=$((COMP_CWORD - 1))
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[--at]}
    fi
    if [[ $verb == check && $before != -* && ${COMP_WORDS[at + 1]} == = ]]; then
        [[ ${COMP_WORDS[at - 1]} == = ]] && ((at--))
        if [[ ${COMP_WORDS[at - 1]} == @(-W|--rule) ]]; then
            _tessera_words 'off note warning error' "$word"
            return
        fi
    fi
    case "$verb $before" in
        "asm -m" | "asm --machine")
            _tessera_words 'qpu gp a2xx' "$word"
            return
            ;;
        "asm --variant")
            _tessera_words 'adreno xenos' "$word"
            return
            ;;
        "asm -f" | "asm --format")
            _tessera_words 'bin hex c c-file header header-extern obj elf' "$word"
            return
            ;;
        "asm -I" | "asm --include")
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        "asm -W" | "asm --rule")
            _tessera_words "all $("$program" help --rules 2>/dev/null)" "$word"
            return
            ;;
        "asm --color")
            _tessera_words 'auto always never' "$word"
            return
            ;;
        "dis -m" | "dis --machine")
            _tessera_words 'qpu gp a2xx' "$word"
            return
            ;;
        "dis --variant")
            _tessera_words 'adreno xenos' "$word"
            return
            ;;
        "dis -f" | "dis --format")
            _tessera_words 'auto raw bin hex c elf mbs listing xenos' "$word"
            return
            ;;
        "dis --explain")
            _tessera_words "$("$program" help --ids 2>/dev/null)" "$word"
            return
            ;;
        "dis --style")
            _tessera_words 'tessera mesa' "$word"
            return
            ;;
        "dis --color")
            _tessera_words 'auto always never' "$word"
            return
            ;;
        "check -m" | "check --machine")
            _tessera_words 'qpu gp a2xx' "$word"
            return
            ;;
        "check --variant")
            _tessera_words 'adreno xenos' "$word"
            return
            ;;
        "check -k" | "check --kind")
            _tessera_words 'fragment vertex coordinate user' "$word"
            return
            ;;
        "check -I" | "check --include")
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        "check -W" | "check --rule")
            _tessera_words "all $("$program" help --rules 2>/dev/null)" "$word"
            return
            ;;
        "check --explain")
            _tessera_words "$("$program" help --ids 2>/dev/null)" "$word"
            return
            ;;
        "check --format")
            _tessera_words 'text json sarif github junit' "$word"
            return
            ;;
        "check --fail-on")
            _tessera_words 'error warning note' "$word"
            return
            ;;
        "check --color")
            _tessera_words 'auto always never' "$word"
            return
            ;;
        "run --frames")
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        "run --qpus")
            _tessera_words '12 16' "$word"
            return
            ;;
        "run -W" | "run --rule")
            _tessera_words "all $("$program" help --rules 2>/dev/null)" "$word"
            return
            ;;
        "run --fail-on")
            _tessera_words 'error warning note' "$word"
            return
            ;;
        "run --color")
            _tessera_words 'auto always never' "$word"
            return
            ;;
        "run --format")
            _tessera_words 'text json sarif github junit' "$word"
            return
            ;;
        "run --explain")
            _tessera_words "$("$program" help --ids 2>/dev/null)" "$word"
            return
            ;;
        "run -m" | "run --machine")
            _tessera_words 'qpu gp a2xx' "$word"
            return
            ;;
        "run --choose")
            _tessera_words 'keep-denormals nan-wins zero-times-inf-is-zero fused-muladd' "$word"
            return
            ;;
        "run --primitive")
            _tessera_words 'triangles strip fan lines line-strip points' "$word"
            return
            ;;
        "run --cull")
            _tessera_words 'clockwise counter-clockwise' "$word"
            return
            ;;
        "run -I" | "run --include")
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        "run --stage")
            _tessera_words 'vertex pixel' "$word"
            return
            ;;
        "run --variant")
            _tessera_words 'adreno xenos' "$word"
            return
            ;;
        "run --front")
            _tessera_words 'clockwise counter-clockwise' "$word"
            return
            ;;
        "decode --qpus")
            _tessera_words '12 16' "$word"
            return
            ;;
        "decode -W" | "decode --rule")
            _tessera_words "all $("$program" help --rules 2>/dev/null)" "$word"
            return
            ;;
        "decode --fail-on")
            _tessera_words 'error warning note' "$word"
            return
            ;;
        "decode --color")
            _tessera_words 'auto always never' "$word"
            return
            ;;
        "decode -I" | "decode --include")
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        "qpu --board")
            _tessera_words 'zero pi1 pi2 pi3' "$word"
            return
            ;;
        "qpu -W" | "qpu --rule")
            _tessera_words "all $("$program" help --rules 2>/dev/null)" "$word"
            return
            ;;
        "qpu --fail-on")
            _tessera_words 'error warning note' "$word"
            return
            ;;
        "qpu --color")
            _tessera_words 'auto always never' "$word"
            return
            ;;
        "gl --driver")
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        "gl --board")
            _tessera_words 'zero pi1 pi2 pi3' "$word"
            return
            ;;
        "gl --frames")
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        "gl -W" | "gl --rule")
            _tessera_words "all $("$program" help --rules 2>/dev/null)" "$word"
            return
            ;;
        "gl --fail-on")
            _tessera_words 'error warning note' "$word"
            return
            ;;
        "gl --color")
            _tessera_words 'auto always never' "$word"
            return
            ;;
    esac
    case $verb in
        asm) options='-m --machine --variant -f --format -o --output -C --hex -c --c-file -h --header -H --header-extern -e --object -v --comments -s --no-symbols -I --include -i --pre-include -D --define -V --check --no-check -W --rule --json --color --max-messages --help' ;;
        dis) options='-m --machine --variant -f --format --base --code --data --explain --lines --nearest --json --style --mesa -o --output --color --max-messages --help' ;;
        check) options='-m --machine --variant -k --kind -e --entry --varyings --registers --base -I --include -i --pre-include -D --define -W --rule --warnings-as-errors --list-rules --explain --format --json --sarif -o --output --fail-on --baseline --write-baseline --config --no-config --color --max-messages --help' ;;
        run) options='-o --output --frames --capture --stats --trace --max-instructions --max-total-instructions --max-records --strict --no-sanitize --sanitize --threads --qpus -W --rule --fail-on --baseline --write-baseline --config --no-config --color --max-messages --format --findings --progress --quiet --json --explain --help -m --machine --attribute --attributes --uniform --uniforms --vertices --first --varying --trace-vertex --choose --draw --size --position --draw-varying --primitive --indices --background --cull --clip-space --window-space --no-depth -I --include -D --define --pixel --stage --variant --texture --buffer --memory --bool --loop --constants --param-gen --front --quads --trace-pixel' ;;
        decode) options='-o --output --max-instructions --max-total-instructions --max-records --strict --no-sanitize --sanitize --threads --qpus -W --rule --fail-on --baseline --write-baseline --config --no-config --color --max-messages --format --findings -I --include -D --define --json --help' ;;
        qpu) options='--board --memory --timeout --threads --sanitize --strict --stats --trace --capture --source --json -W --rule --fail-on --baseline --write-baseline --config --no-config --color --max-messages --format --findings --help' ;;
        gl) options='--list --driver --board --memory --threads --sanitize --strict --stats --capture --jobs --dump --hang --mode --frames --window --fps --count --json -W --rule --fail-on --baseline --write-baseline --config --no-config --color --max-messages --format --findings --help' ;;
        new) options='--help' ;;
        tutorial) options='--help' ;;
        help) options='--ids --rules --help' ;;
    esac
    if [[ $word == -?* || -z $word && $verb != @(qpu|gl) && -n $options && $before == -- ]]; then
        _tessera_words "$options" "$word"
        return
    fi
    case $verb in
        new) ((COMP_CWORD == 2)) && _tessera_words 'qpu scene compute gp a2xx gl' "$word" ;;
        tutorial) ((COMP_CWORD == 2)) && _tessera_words 'qpu compute gp a2xx' "$word" ;;
        help) ((COMP_CWORD == 2)) && _tessera_words 'asm dis check run decode qpu gl new tutorial help' "$word" ;;
    esac
}

complete -o default -F _tessera tessera

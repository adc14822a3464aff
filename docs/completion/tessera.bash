# SPDX-License-Identifier: MIT
# bash completion for tessera

# Whether "tessera qpu" or "tessera gl" has its program by now: all words behind that are the program's.
_tessera_has_program()
{
    local i
    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            --board | --memory | --timeout | --threads | --trace | --capture | --source | --driver | --jobs | --hang | --mode | --frames | --count) ((i++)) ;;
            --) return 0 ;;
            -* | =) ;;
            *) [[ ${COMP_WORDS[i - 1]} == = ]] || return 0 ;;
        esac
    done
    return 1
}

_tessera()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W 'asm dis check run decode qpu gl new tutorial help --help --version' -- "$word")
        return
    fi
    [[ ${COMP_WORDS[1]} == @(qpu|gl) ]] && _tessera_has_program && return
    case $before in
        -m | --machine)
            mapfile -t COMPREPLY < <(compgen -W 'qpu gp a2xx' -- "$word")
            return
            ;;
        --variant)
            mapfile -t COMPREPLY < <(compgen -W 'adreno xenos' -- "$word")
            return
            ;;
        -f | --format)
            mapfile -t COMPREPLY < <(compgen -W 'auto raw bin hex c c-file header header-extern obj elf mbs listing xenos' -- "$word")
            return
            ;;
        -k | --kind)
            mapfile -t COMPREPLY < <(compgen -W 'fragment vertex coordinate user' -- "$word")
            return
            ;;
        --board)
            mapfile -t COMPREPLY < <(compgen -W 'zero pi1 pi2 pi3' -- "$word")
            return
            ;;
        --qpus)
            mapfile -t COMPREPLY < <(compgen -W '12 16' -- "$word")
            return
            ;;
        --style)
            mapfile -t COMPREPLY < <(compgen -W 'tessera mesa' -- "$word")
            return
            ;;
        --stage)
            mapfile -t COMPREPLY < <(compgen -W 'vertex pixel' -- "$word")
            return
            ;;
        --primitive)
            mapfile -t COMPREPLY < <(compgen -W 'triangles strip fan lines line-strip points' -- "$word")
            return
            ;;
        --cull | --front)
            mapfile -t COMPREPLY < <(compgen -W 'clockwise counter-clockwise' -- "$word")
            return
            ;;
        --choose)
            mapfile -t COMPREPLY < <(compgen -W 'keep-denormals nan-wins zero-times-inf-is-zero fused-muladd' -- "$word")
            return
            ;;
        -I | --include | --driver)
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
    esac
    case ${COMP_WORDS[1]} in
        asm) options='-m --machine --variant -f --format -o --output -C --hex -c --c-file -h --header -H --header-extern -e --object -v --comments -s --no-symbols -I --include -i --pre-include -D --define -V --check --no-check --json --help' ;;
        dis) options='-m --machine --variant --style -f --format --base --code --data --explain --lines --nearest --json --mesa -o --output --help' ;;
        check) options='-m --machine --variant --registers -k --kind -e --entry --varyings --base -I --include -i --pre-include -D --define -W --rule --warnings-as-errors --list-rules --explain --format --json --sarif -o --output --help' ;;
        run) options='-m --machine -o --output --explain --frames --capture --progress --quiet --stats --max-instructions --max-total-instructions --max-records --strict --sanitize --no-sanitize --threads --qpus --json --attribute --attributes --uniform --uniforms --vertices --first --varying --trace --choose --draw --size --position --colour --primitive --indices --background --cull --clip-space --window-space --no-depth --pixel --stage --variant --texture --buffer --memory --bool --loop --constants --param-gen --front --quads --trace-pixel -I --include -D --define --help' ;;
        decode) options='-I --include -D --define -o --output --max-instructions --max-total-instructions --max-records --strict --sanitize --no-sanitize --threads --qpus --json --help' ;;
        new) options='--help' ;;
        tutorial) options='--help' ;;
        help) options='--help' ;;
        qpu) options='--board --memory --timeout --threads --sanitize --strict --stats --trace --capture --source --json --help' ;;
        gl) options='--list --driver --board --memory --threads --sanitize --strict --stats --capture --jobs --dump --hang --mode --frames --window --fps --count --json --help' ;;
    esac
    if [[ $word == -?* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    fi
}

complete -o default -F _tessera tessera

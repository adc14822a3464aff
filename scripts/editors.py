# SPDX-License-Identifier: MIT
"""Generates highlighting for Vim and Emacs from the TextMate grammars, for scripts/make-tables.

These grammars use a small part of regular expressions: classes, groups, counts, lookbehind for one character,
lookahead at the end."""
import re

LANGUAGES = {"qpu": ("QPU (VideoCore IV)", ("qasm", "qinc"), "#"), "gp": ("GP (Mali Utgard)", ("gp",), "#"),
             "a2xx": ("A2xx (Adreno A2xx, Xenos)", ("a2xx",), ";")}
MADE = "Made by scripts/make-tables from editor/vscode/syntaxes"
# Scopes by their prefixes, of which the longest applies; Vim's groups, Emacs' faces.
LOOKS = {
    "comment": ("Comment", "font-lock-comment-face"),
    "string": ("String", "font-lock-string-face"),
    "constant.character.escape": ("SpecialChar", "font-lock-string-face"),
    "keyword.control.directive": ("PreProc", "font-lock-preprocessor-face"),
    "keyword.control.flow": ("Conditional", "font-lock-keyword-face"),
    "entity.name.function": ("Function", "font-lock-function-name-face"),
    "entity.name.label": ("Label", "font-lock-function-name-face"),
    "variable.other.label": ("Label", "font-lock-function-name-face"),
    "variable.other.constant": ("Identifier", "font-lock-variable-name-face"),
    "variable.language.register": ("Identifier", "font-lock-variable-name-face"),
    "variable.parameter.field": ("Identifier", "font-lock-variable-name-face"),
    "support.function.record": ("Structure", "font-lock-builtin-face"),
    "support.function.opcode": ("Statement", "font-lock-keyword-face"),
    "support.type": ("Type", "font-lock-type-face"),
    "storage.type": ("Type", "font-lock-type-face"),
    "storage.modifier": ("StorageClass", "font-lock-type-face"),
    "keyword.other.signal": ("Keyword", "font-lock-builtin-face"),
    "constant.numeric": ("Number", "font-lock-constant-face"),
    "punctuation": ("Delimiter", None),
    "keyword.operator": ("Operator", None),
}


def look(scope, which):
    return LOOKS[max((name for name in LOOKS if scope.startswith(name)), key=len)][which]


def group_name(scope):
    """"constant.numeric.hex.qpu" is tesseraQpuConstantNumericHex."""
    *words, language = re.split(r"[.-]", scope)
    return "tessera" + language.capitalize() + "".join(word.capitalize() for word in words)


def rules(tree):
    """Returns the rules with a match, a beginning and an end, or captures, in order."""
    def flat(patterns):
        for rule in patterns:
            rule = tree["repository"][rule["include"].lstrip("#")] if "include" in rule else rule
            if "patterns" in rule and "begin" not in rule:
                yield from flat(rule["patterns"])
            else:
                yield rule
    return list(flat(tree["patterns"]))


def tokens(pattern):
    """Splits a regular expression: classes, escapes, beginnings of groups, counts, single characters."""
    return re.findall(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|\(\?(?::|<!|<=|!|=)|\{\d+(?:,\d*)?\}|.", pattern, re.DOTALL)


def pieces(pattern):
    """Returns the captured groups of a pattern, and the text between them: (number or 0, text)."""
    out, depth, number, text, inside = [], 0, 0, "", 0
    for token in tokens(pattern):
        if token == "(" and depth == 0:
            out.append((0, text))
            number, text, inside = number + 1, "", 1
        elif token == ")" and depth == 1 and inside:
            out.append((number, text))
            text, inside = "", 0
            depth -= 1
            continue
        else:
            text += token
        depth += (token[0] == "(") - (token == ")")
    return out + [(0, text)]


# --- Vim ---

def vim_class(token):
    return token.replace(r"\w", "0-9A-Za-z_").replace(r"\s", " \\t")


def vim_pattern(pattern):
    out, groups, single = [], [], []
    for token in tokens(pattern):
        if token in ("(?:", "("):
            out.append("%(")
            groups.append("")
        elif token in ("(?<!", "(?<=", "(?!", "(?="):
            out.append("%(")
            groups.append({"(?<!": "@1<!", "(?<=": "@1<=", "(?!": "@!", "(?=": "@="}[token])
        elif token == ")":
            out.append(")" + groups.pop())
        elif token.startswith("["):
            out.append(vim_class(token))
        elif token == r"\b":
            out.append("%(<|>)")
        elif token in (r"\w", r"\s", r"\d") or (token[0] == "\\" and not token[1].isalnum()):
            out.append(token)
        elif token in "=@~&%<>/":
            out.append("\\" + token)
        else:
            out.append(token)
    return "".join(out)


def vim_match(scope, pattern):
    return f"syn match {group_name(scope)} /\\v\\C{vim_pattern(pattern)}/"


def vim_captures(rule):
    """Each captured group becomes a separate match, between the text before and after it."""
    parts = pieces(rule["match"])
    for number, capture in rule["captures"].items():
        at = next(index for index, (group, _) in enumerate(parts) if group == int(number))
        before = "".join(vim_pattern(f"(?:{text})") for _, text in parts[:at] if text)
        behind = "".join(f"(?:{text})" for _, text in parts[at + 1:] if text)
        pattern = (f"%({before})@<=" if before else "") + f"%({vim_pattern(parts[at][1].removesuffix('|'))})" + (f"%({vim_pattern(behind)})@=" if behind else "")
        yield f"syn match {group_name(capture['name'])} /\\v\\C{pattern}/"


def vim_region(rule, inner):
    end = rule["end"].replace("|$", "")
    line = f"syn region {group_name(rule['name'])} start=/\\v{vim_pattern(rule['begin'])}/ end=/\\v{vim_pattern(end)}/"
    if end != rule["end"]:
        line += " end=/$/ oneline"
    return line + (f" contains={','.join(inner)}" if inner else " keepend")


def vim_syntax(tree, language):
    """Among rules that match at one position, the first applies in a grammar, and the last in Vim."""
    out, scopes = [], set()
    for rule in reversed(rules(tree)):
        inner = []
        for child in rule.get("patterns", []):
            scopes.add(child["name"])
            inner.append(group_name(child["name"]))
            out.append(vim_match(child["name"], child["match"]) + " contained")
        if "begin" in rule:
            out.append(vim_region(rule, inner))
        elif "name" in rule:
            out.append(vim_match(rule["name"], rule["match"]))
        else:
            out += vim_captures(rule)
        scopes |= {capture["name"] for capture in rule.get("captures", {}).values()} | ({rule["name"]} if "name" in rule else set())
    title = LANGUAGES[language][0]
    return [f'" Vim syntax file: {title} assembly. {MADE}/{language}.tmLanguage.json.', 'if exists("b:current_syntax")', "  finish", "endif",
            "syn case match", *out, *(f"hi def link {group_name(scope)} {look(scope, 0)}" for scope in sorted(scopes)),
            "syn sync minlines=50", f'let b:current_syntax = "tessera{language}"']


# --- Emacs ---

def emacs_class(token):
    inner, negated = token[1:-1], token[1] == "^"
    inner = inner[negated:].replace(r"\w", "0-9A-Za-z_").replace(r"\s", " \t")
    inner = re.sub(r"\\(.)", r"\1", inner)
    first = "]" if "]" in inner else ""
    inner = inner.replace("]", "")
    last = "-" if inner.startswith("-") or inner.endswith("-") else ""
    return "[" + ("^" if negated else "") + first + inner.strip("-") + last + "]"


def negated(token):
    return "[" + (token[2:] if token[1] == "^" else "^" + token[1:])


def without_lookahead(pattern):
    """Returns the pattern, and the text that must follow if the pattern ends with it: Emacs has no lookahead. A
    required lookahead in the middle becomes a part of the match. A negative lookahead is dropped, unless it is for
    one character."""
    out, tail, stack = [], "", []
    parts = tokens(pattern)
    for index, token in enumerate(parts):
        if token in ("(?!", "(?="):
            stack.append((token, len(out)))
        elif token[0] == "(":
            stack.append(("(", len(out)))
        if token == ")":
            kind, at = stack.pop()
            if kind == "(?!":
                inside = out[at + 1:]
                del out[at:]
                last = index == len(parts) - 1 and len(inside) == 1 and inside[0][0] == "["
                tail = f"(?:{negated(inside[0])}|$)" if last else tail
                continue
            if kind == "(?=":
                inside = out[at + 1:]
                out[at:] = [] if index == len(parts) - 1 else inside
                tail = "".join(inside) if index == len(parts) - 1 else ""
                continue
        out.append(token)
    return "".join(out), tail


def emacs_pattern(pattern):
    out = []
    for token in tokens(pattern):
        if token in ("(?:", "("):
            out.append(r"\(?:")
        elif token == ")":
            out.append(r"\)")
        elif token == "|":
            out.append(r"\|")
        elif token.startswith("{"):
            out.append("\\" + token[:-1] + r"\}")
        elif token.startswith("[") and len(token) > 1:
            out.append(emacs_class(token))
        elif token == r"\b":
            out.append(r"\_>")
        elif token == r"\w":
            out.append("[0-9A-Za-z_]")
        elif token == r"\s":
            out.append("[ \t]")
        elif token[0] == "\\" and token[1] not in ".*+?[]^$\\":
            out.append(token[1])
        else:
            out.append(token)
    return "".join(out)


def emacs_front(pattern):
    """Returns the text that must precede, and the rest. Emacs has no lookbehind, so the preceding text is matched, and
    the rest is group 1."""
    found = re.match(r"\(\?<([!=])(\[[^\]\\]*(?:\\.[^\]\\]*)*\]|\\.)\)", pattern)
    if not found:
        return r"\_<" if pattern.startswith(r"\b") else "", re.sub(r"^\\b", "", pattern)
    kind, rest = found[1], pattern[found.end():]
    if kind == "=" and r"\w" in found[2]:
        return r"\>", rest  # zero width, so that the previous match may end here
    inner = emacs_class(found[2] if found[2][0] == "[" else f"[{found[2]}]")
    return (inner, rest) if kind == "=" else (r"\(?:^\|[^" + inner[1:] + r"\)", rest)


def lisp(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def emacs_rule(rule):
    """Returns rows of font-lock-keywords."""
    if "begin" in rule or rule.get("name", "").startswith("comment"):
        return  # covered by the syntax table
    if "captures" in rule:
        pattern, faces = "", []
        for number, text in pieces(rule["match"]):
            front, text = emacs_front(without_lookahead(text)[0])
            pattern += front + (r"\(" + emacs_pattern(text) + r"\)" if number else emacs_pattern(text))
            if number:
                faces.append(f"({number} {look(rule['captures'][str(number)]['name'], 1)})")
        yield f"({lisp(pattern)} {' '.join(faces)})"
        return
    face = look(rule["name"], 1)
    if face:
        for alternative in alternatives(rule["match"]):
            text, behind = without_lookahead(alternative)
            front, text = emacs_front(text)
            whole = front + r"\(" + emacs_pattern(text) + r"\)" + emacs_pattern(behind)
            yield f"({lisp(whole)} 1 {face})"


def alternatives(pattern):
    """Splits a pattern into alternatives, if one of them, but not the whole, begins with a lookbehind."""
    out, depth, text = [], 0, ""
    for token in tokens(pattern):
        depth += (token[0] == "(") - (token == ")")
        if token == "|" and depth == 0:
            out.append(text)
            text = ""
        else:
            text += token
    return out + [text]


def emacs_language(tree, language):
    title, endings, comment = LANGUAGES[language]
    # Among rows about one character the first applies: the text after a dot is a number before it is a suffix.
    ordered = sorted(rules(tree), key=lambda rule: rule.get("name", "").startswith("storage.modifier"))
    rows = [row for rule in ordered for row in emacs_rule(rule)]
    mode = f"tessera-{language}-mode"
    semicolon = '\n    (modify-syntax-entry ?\\; "< b" table)' if comment == ";" else ""
    return [f"(defconst tessera-{language}-font-lock-keywords", "  '(" + "\n    ".join(rows) + ")", f'  "What {title} assembly looks like.")', "",
            f"(defvar {mode}-syntax-table", f"  (let ((table (tessera--syntax-table))){semicolon}", "    table)",
            f'  "Comments and strings of {title} assembly.")', "", ";;;###autoload",
            f'(define-derived-mode {mode} prog-mode "{language.upper()}"', f'  "Major mode for {title} assembly."',
            f'  (tessera--setup {lisp(comment + " ")} tessera-{language}-font-lock-keywords))', "",
            *(f";;;###autoload\n(add-to-list 'auto-mode-alist '(\"\\\\.{ending}\\\\'\" . {mode}))" for ending in endings), ""]


EMACS_HEAD = r""";;; tessera.el --- Assembly for VideoCore IV, Mali Utgard and Adreno A2xx -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Major modes for .qasm, .qinc, .gp and .a2xx, and places of tessera's messages for M-x compile.
;; @MADE@.

;;; Code:

(require 'compile)

(defun tessera--syntax-table ()
  "What all three languages have in common."
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "< b" table)
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (dolist (mark (append "'.+-<>=&|%!^~@,:" nil))
      (modify-syntax-entry mark "." table))
    (modify-syntax-entry ?_ "_" table)
    table))

(defun tessera--setup (comment keywords)
  "Make COMMENT begin comments, KEYWORDS have faces, and `compile' check the file."
  (setq-local comment-start comment)
  (setq-local comment-start-skip "\\(?:#+\\|//+\\|/\\*+\\|;+\\)[ \t]*")
  (setq-local comment-end "")
  (setq-local font-lock-defaults (list keywords))
  (when buffer-file-name
    (setq-local compile-command
                (concat "tessera check " (shell-quote-argument (file-name-nondirectory buffer-file-name))))))

;;;###autoload
(add-to-list 'compilation-error-regexp-alist-alist
             '(tessera "^\\(.+?\\):\\([0-9]+\\):\\(?:\\([0-9]+\\):\\)? \\(?:error\\|\\(warning\\)\\|\\(note\\)\\): " 1 2 3 (4 . 5)))
;;;###autoload
(add-to-list 'compilation-error-regexp-alist 'tessera)
"""


def emacs_file(trees):
    out = EMACS_HEAD.replace("@MADE@", MADE).split("\n")
    for language, tree in trees.items():
        out += emacs_language(tree, language)
    return out + ["(provide 'tessera)", ";;; tessera.el ends here"]

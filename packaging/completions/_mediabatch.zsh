#compdef mediabatch
# zsh loads this at the first Tab behind "mediabatch"; the program writes the completions of its own version.
eval "$(mediabatch --generate-completion-script zsh)"
_mediabatch "$@"

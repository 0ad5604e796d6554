# fish loads this at the first Tab behind "mediabatch"; the program writes the completions of its own version.
mediabatch --generate-completion-script fish | source

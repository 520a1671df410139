// The scripts of the shells. They name files where nothing else completes an option's value.

const bash = `# Completion of tributary in bash.
_tributary() {
  local word=\${COMP_WORDS[COMP_CWORD]} line
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ \${#COMPREPLY[@]} -eq 0 ]; then
    compopt -o default 2>/dev/null
  fi
}
complete -F _tributary tributary
`;

const zsh = `#compdef tributary
# Completion of tributary in zsh.
_tributary() {
  local -a candidates
  local value description
  while IFS=$'\\t' read -r value description; do
    candidates+=("\${value//:/\\\\:}:$description")
  done < <("\${words[1]}" completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe -V tributary candidates
  else
    _files
  fi
}
compdef _tributary tributary
`;

const fish = `# Completion of tributary in fish.
function __tributary_candidates
  set -l words (commandline -opc)
  set -l candidates ($words[1] completion candidates -- $words[2..-1] (commandline -ct) 2>/dev/null)
  if set -q candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c tributary -k -f -a '(__tributary_candidates)'
`;

export const scripts = { bash, zsh, fish } as const;

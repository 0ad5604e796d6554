extension AccessDecision {
  /// The condition of a row, 1 to 12 without 10, in the words of `docs/permissions.md`, "The table".
  static func condition(_ row: Int) -> String {
    switch row {
    case 1: "its usage description is missing, empty, blank, not a string"
    case 2: "limited for the camera, the microphone or adding; a word that is no status"
    case 3: "an organization's policy denies it, or it is restricted"
    case 4: "a person picked items for this run"
    case 5: "it is denied, anywhere"
    case 6: "what would apply has expired"
    case 7: "reading is needed, nobody decided on it, and only adding is authorized"
    case 8: "nobody decided"
    case 9: "it is allowed, has a path, and nothing is there"
    case 11: "it is limited"
    default: "it is authorized"
    }
  }
}

internal import Glibc
internal import MediaFileSystem
internal import MediaModel

extension AnswerStore {
  /// The location of a user's answers: `mediabatch/answers.sqlite` in `XDG_DATA_HOME`, else in
  /// `.local/share` of the home folder.
  ///
  /// - Parameter environment: A value that is not an absolute path is as good as none.
  /// - Returns: Nil when neither the environment nor the user database knows a home folder.
  ///
  /// Source: XDG Base Directory Specification 0.8, "Environment variables".
  package static func location(environment: [String: String]) -> [UInt8]? {
    func absolute(_ name: String) -> [UInt8]? {
      environment[name].flatMap { $0.utf8.first == .slash ? [UInt8]($0.utf8) : nil }
    }
    let home = { absolute("HOME") ?? homeOfUser() }
    guard let data = absolute("XDG_DATA_HOME") ?? home().map({ $0 + "/.local/share".utf8 }) else {
      return nil
    }
    return data + "/mediabatch/answers.sqlite".utf8
  }

  /// The location of the answers of the user who runs this process.
  ///
  /// - Throws: ``StoreError`` `.noPlace`, also for a variable that is no text: another folder than
  ///   the one that is meant would hold other answers.
  package static func ownLocation() throws(StoreError) -> [UInt8] {
    var environment: [String: String] = [:]
    for name in ["XDG_DATA_HOME", "HOME"] {
      guard let value = getenv(name) else { continue }
      guard let text = String(validatingCString: value) else {
        throw StoreError(
          .noPlace,
          "The environment variable \(name) is not UTF-8, so it is unclear where answers are "
            + "stored. Set XDG_DATA_HOME to an absolute path in UTF-8."
        )
      }
      environment[name] = text
    }
    guard let location = location(environment: environment) else {
      throw StoreError(
        .noPlace,
        "Answers have no place: this user has no home folder. Set XDG_DATA_HOME to the absolute path of a folder that "
          + "only you can change."
      )
    }
    return location
  }

  private static func homeOfUser() -> [UInt8]? {
    LocalUsers.current().map(\.home).flatMap { $0.first == .slash ? $0 : nil }
  }
}

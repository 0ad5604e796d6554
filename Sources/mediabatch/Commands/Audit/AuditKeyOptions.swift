internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaModel
internal import MediaPermissions

/// The option that names the file of the key for signing heads.
struct AuditKeyLocation: ParsableArguments {
  @Option(
    help: .rare(
      "The file of the key that signs the log's head.",
      details: "By default it is a key of your own, which is made on first use."
    )
  )
  var key: PathArgument?

  /// Where the user's own key lies: beside the stored answers.
  static func ownLocation() throws -> [UInt8] {
    let answers = try AnswerStore.ownLocation()
    let slash = answers.lastIndex(of: UInt8.slash) ?? 0
    return answers[...slash] + Array("audit.key".utf8)
  }

  /// The key of the file that `--key` names, or the user's own, which is made on first use; then `onCreation` is
  /// called with its file.
  ///
  /// - Throws: The command's end, 64, when there is no key to be used, and 74 when it cannot be made.
  func signer(onCreation: ([UInt8]) -> Void = { _ in }) throws -> AuditSigner {
    do {
      let file = try AuditKeyFile(path: try location(), makesFolder: key == nil)
      return key == nil ? try file.readOrMake { onCreation(file.path) } : try file.read()
    } catch let error as AuditKeyError {
      Console.note("\(error)")
      let code: RunExitCode = error.code == .cannotWrite ? .cannotWrite : .usage
      throw ExitCode(code.rawValue)
    }
  }

  /// The file that `--key` names, or the user's own.
  func location() throws -> [UInt8] {
    try key?.absolute ?? Self.ownLocation()
  }
}

/// The options that select the key for signing the head of a log, or none.
struct AuditKeyOptions: RuledArguments {
  static let rules: [OptionRule] = ["--unsigned does not combine with --key."]

  @OptionGroup var file: AuditKeyLocation

  @Flag(help: .rare("Do not sign the log's head.", details: rules[0].sentence))
  var unsigned = false

  /// The file that `--key` names.
  var key: PathArgument? { file.key }

  /// The same, nil where nothing is signed.
  var used: PathArgument? { unsigned ? nil : key }

  /// The key, or nil with what a person should know when there is none of the user's own.
  ///
  /// - Throws: The command's end, 64, when the file that was named holds no key to be used.
  func signing() throws -> (signer: AuditSigner?, problem: String?) {
    if unsigned { return (nil, nil) }
    if key != nil {
      do {
        return (try AuditKeyFile(path: try file.location(), makesFolder: false).read(), nil)
      } catch let error as AuditKeyError {
        Console.note("\(error)")
        throw RunExitCode.usage.end
      }
    }
    do {
      let keyFile = try AuditKeyFile(path: try AuditKeyLocation.ownLocation(), makesFolder: true)
      return (try keyFile.readOrMake(), nil)
    } catch {
      return (nil, "The head of the log is not signed. \(error)")
    }
  }

  /// The key; nil when the head is not signed, after a note that says why.
  ///
  /// - Throws: The command's end, 64, when the file that was named holds no key to be used.
  func signer() throws -> AuditSigner? {
    let signing = try signing()
    if let problem = signing.problem { Console.note(problem) }
    return signing.signer
  }
}

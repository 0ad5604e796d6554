internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Work with a library's access log.",
    subcommands: [AuditVerifyCommand.self]
  )
}

struct AuditVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Name the first record that was changed, removed, added or moved.",
    discussion: "Exits with 65 when something differs."
  )

  @Argument(help: "The library's folder.")
  var library: String

  @Option(help: "The head that a run's summary printed and a witness has kept.")
  var expectHead: String?

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func validate() throws {
    guard let expectHead else { return }
    let isHash = expectHead.utf8.count == 64 && expectHead.allSatisfy(\.isHexDigit)
    if !isHash {
      throw ValidationError("--expect-head takes the 64 digits that a summary printed.")
    }
  }

  func run() throws {
    let verification: AuditVerification
    do {
      let path = [UInt8](library.utf8)
      let root = try FileSystem.openFolder(path)
      let catalogue = try readCatalogue(path, root)
      verification = try LibraryLog(root: root, catalogue: catalogue).verify(
        expectedHead: expectHead
      )
    } catch let error as LibraryError {
      Console.note(error.description)
      return try error.exitCode.exit()
    } catch {
      Console.note("\(error)")
      return try ExitCode.differencesFound.exit()
    }
    let position: String? =
      switch verification.expectedHead {
      case .last?: "last"
      case .endOfRun(let file)?: file
      case nil: nil
      }
    switch format {
    case .json:
      Console.output([
        "schema": "mediabatch.auditVerify/1",
        "files": JSONValue(verification.files), "records": JSONValue(verification.records),
        "head": .string(verification.head), "tornBytes": JSONValue(verification.tornBytes),
        "difference": JSONValue(verification.difference?.description),
        "expectedHead": JSONValue(position),
        "ok": .bool(verification.difference == nil),
      ])
    case .text:
      if let difference = verification.difference {
        Console.output("\(difference)")
      } else {
        Console.output(
          "\(verification.records) records in \(verification.files) files: the chain is whole."
        )
        Console.output("head \(verification.head)")
        if verification.tornBytes > 0 {
          Console.output(
            "\(verification.tornBytes) bytes of a torn last line, as a power cut leaves them."
          )
        }
        if let position, position != "last" {
          Console.output("The expected head is the end of \(position); the log went on after it.")
        }
      }
    }
    if verification.difference != nil { try ExitCode.differencesFound.exit() }
  }

  /// The catalogue, or nil with a word about it where the log is there and the catalogue is not: an
  /// intact chain and a head that was kept prove the log without it.
  private func readCatalogue(
    _ path: [UInt8],
    _ root: Descriptor
  ) throws(LibraryError) -> CatalogueReader? {
    do {
      return try CatalogueReader(library: path)
    } catch {
      guard (try? FileSystem.status(in: root, name: [UInt8]("Audit".utf8)))?.kind == .folder else {
        throw error
      }
      Console.note(
        "\(error) Checked without it: that the log was not cut at its end is only known with "
          + "--expect-head."
      )
      return nil
    }
  }
}

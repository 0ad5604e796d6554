internal import ArgumentParser
internal import MediaExport
internal import MediaModel

/// The options of commands that put stripped copies of a library's files into a folder.
struct StrippingOptions: ParsableArguments {
  static let rules: [OptionRule] = [
    "--except goes with --strip.",
    "--strip does not combine with --private-facts.",
    OptionRule(
      "--strip changes copies of the files: name --as reflink or copy.",
      means: "--strip does not combine with --as hardlink or symlink."
    ),
  ]

  @Flag(
    help: """
      Strip the copies, as an import with the policy strip does; the library stays as it is. What cannot be stripped is \
      left out and named, and the command ends with 3. mediabatch-receipts.json says what was removed.
      """
  )
  var strip = false

  @Option(
    help: ArgumentHelp(
      "What --strip keeps, as in the manifest: copyright,location:coarse …",
      valueName: "words"
    ),
    transform: StripOptions.init(except:)
  )
  var except: StripOptions?

  /// The policy by which copies are stripped; nil for the library's files as they are.
  var policy: MetadataPolicy? {
    strip
      ? MetadataPolicy(except: except?.except ?? [], isLocationCoarse: except?.isLocationCoarse ?? false)
      : nil
  }

  /// Refuses facts that stripping takes away again.
  ///
  /// - Throws: A `ValidationError` with the first of them.
  func check(embedding facts: [ExportedFact]) throws {
    guard let policy else { return }
    for fact in facts {
      guard let exception = fact.exception else {
        throw ValidationError("--strip takes \(fact.rawValue) away: leave that out of --embed.")
      }
      guard policy.keeps(exception) else {
        throw ValidationError(
          "--strip takes the \(fact.rawValue) away: name \(exception.rawValue) in --except, or leave it out of --embed."
        )
      }
    }
  }
}

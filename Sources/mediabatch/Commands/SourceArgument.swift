internal import ArgumentParser

/// The source that a command about a manifest is about.
struct SourceArgument: ParsableArguments {
  @Argument(help: "The source: camera, library, microphone, or its name in the manifest.")
  var source: SourceWord?

  @OptionGroup var option: SourceOption

  /// The word that was given in either way.
  var word: SourceWord? { option.source ?? source }

  func validate() throws {
    // No rule knows of arguments.
    if source != nil, option.source != nil { throw ValidationError("Name the source once.") }
  }

  /// - Throws: A `ValidationError` where none was given, since no rule knows of arguments.
  func required() throws -> SourceWord {
    guard let word else {
      throw ValidationError("Name the source: camera, library, microphone, or its name in the manifest.")
    }
    return word
  }
}

/// The source that an option names.
struct SourceOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The source, by its name in the manifest.",
      details: "It can be any name, also one that begins with a hyphen."
    )
  )
  var source: SourceWord?
}

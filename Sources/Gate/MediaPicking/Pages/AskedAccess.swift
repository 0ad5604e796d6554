package import MediaModel

/// The access that a person is asked about, in the words that the terminal and a page have in common.
package enum AskedAccess: String, CaseIterable, Sendable, Hashable {
  case library
  /// Adding to the photo library.
  case adding
  case camera
  case microphone
  /// The microphone, for the sound of other sources' videos alone.
  case sound

  /// The access at a level; a microphone without a folder of its own is asked about for sound alone.
  package init(_ source: SourceKind, _ level: AccessLevel, hasFolder: Bool) {
    self =
      switch (source, level) {
      case (.camera, _): .camera
      case (.library, .readWrite): .library
      case (.library, .addOnly): .adding
      case (.microphone, _): hasFolder ? .microphone : .sound
      }
  }

  /// The source as a title.
  package var name: String {
    switch self {
    case .library: "Photo library"
    case .adding: "Adding to the photo library"
    case .camera: "Camera"
    case .microphone, .sound: "Microphone"
    }
  }

  /// The words behind "would like to". Source: the alerts of iOS.
  package var wish: String {
    switch self {
    case .library: "use your photos"
    case .adding: "add to your photos"
    case .camera: "use your camera"
    case .microphone, .sound: "use your microphone"
    }
  }

  /// The words before the folder in a sentence on what is opened; a whole sentence where there is no folder.
  package var deed: String {
    switch self {
    case .library, .camera: "It reads photos and videos in"
    case .adding: "It reads nothing there, and adds copies to"
    case .microphone: "It reads sound in"
    case .sound: "It uses the sound of videos from your other sources."
    }
  }

  /// The wish by which a page finds its sentence: one for both uses of a microphone.
  package var wishWord: String { self == .sound ? AskedAccess.microphone.rawValue : rawValue }

  /// Whole sentences on what an answer that allows means, for copies made under a policy; the word is that by which a
  /// page finds its own.
  package func meanings(_ policy: MetadataPolicy) -> [(icon: String, word: String, text: String)] {
    var meanings: [(icon: String, word: String, text: String)] = []
    if self != .adding, self != .sound {
      meanings.append(("copy", "copies", "It makes copies. Yours stay as they are."))
      let (word, text) = Self.copies(policy)
      meanings.append(("pin", "policy.\(word)", text))
    }
    return meanings + [("undo", "undo", "You can take it back later.")]
  }

  /// A sentence on what of places, people and devices is in copies.
  private static func copies(_ policy: MetadataPolicy) -> (word: String, text: String) {
    guard policy.strips else { return ("keep", "Places, people, and devices stay in the copies.") }
    return switch (policy.except.contains(.location), policy.except.contains(.camera)) {
    case (false, false): ("strip", "Places, people, and devices are removed from the copies.")
    case (true, false): ("location", "Places stay in the copies. People and devices are removed.")
    case (false, true): ("camera", "Camera models stay in the copies. Places and people are removed.")
    case (true, true): ("both", "Places and camera models stay in the copies. People are removed.")
    }
  }
}

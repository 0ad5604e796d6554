/// Why an item is processed after the others of its source: it is half of a live photo, and the other half
/// was not in its batch.
package enum LateHalf: Hashable {
  /// The item has no outcome yet, and its other half is in this batch.
  case waited
  /// The item has no outcome yet and is published alone. Its still may be published already, where it
  /// cannot be read again.
  case alone(hasPublishedStill: Bool)
  /// The item was published alone, by this run or an earlier one, and is read again to be published with
  /// its other half, under the label that it has. Its outcome counts already.
  case published(label: String)

  package var isPublished: Bool {
    if case .published = self { true } else { false }
  }
}

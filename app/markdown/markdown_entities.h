// SPDX-License-Identifier: Apache-2.0
// Characters that Markdown can name: &amp; and &#955;. Of the names of HTML it knows those of Latin letters, Greek,
// punctuation, arrows and mathematics that people write; others stay as they are. Pure functions.
//
//     characterOfEntity(u"&rarr;"); // an arrow
#pragma once

#include <QString>
#include <QStringView>

namespace coterie::app {

/// Returns the characters that this entity stands for; empty if the name is not known.
QString characterOfEntity(QStringView entity);

} // namespace coterie::app

//! Recorded calls as the statements of a function.

use crate::recorder::{Line, Word, Words};

/// An expression up to this length is written inside the line that reads it.
const WIDTH: usize = 70;
/// A name is about this long.
const NAME: usize = 3;

/// Writes the statements that `last` needs, and `last`; a short one with a single reader goes inside it.
pub fn statements(mut lines: Vec<Line>, last: Words) -> String {
    lines.push(Line { letter: ' ', text: last });
    let reads = reads(&lines);
    let mut is_inside = vec![false; lines.len()];
    for place in (0..lines.len()).filter(|place| reads[*place] > 0) {
        lines[place].text = with_insides(&lines, place, &reads, &mut is_inside);
    }
    let (mut text, mut names, mut count) = (String::new(), Vec::new(), 0);
    for (place, line) in lines.iter().enumerate() {
        let is_named = reads[place] > 0 && !is_inside[place] && place + 1 < lines.len();
        count += usize::from(is_named);
        names.push(format!("{}{count}", line.letter));
        if is_named {
            text += &format!("    let {} = {};\n", names[place], said(&line.text, &names));
        } else if place + 1 == lines.len() {
            text += &format!("    {}\n", said(&line.text, &names));
        }
    }
    text
}

/// Counts how often needed lines read each line; the last counts one.
fn reads(lines: &[Line]) -> Vec<usize> {
    let mut reads = vec![0; lines.len()];
    if let Some(last) = reads.last_mut() {
        *last = 1;
    }
    for (place, line) in lines.iter().enumerate().rev() {
        if reads[place] == 0 {
            continue;
        }
        for word in &line.text.0 {
            if let Word::Made(read) = word {
                reads[*read] += 1;
            }
        }
    }
    reads
}

/// Writes a line with the lines that it alone reads inside. Variables and gradients keep their names.
fn with_insides(lines: &[Line], place: usize, reads: &[usize], is_inside: &mut [bool]) -> Words {
    let text = &lines[place].text;
    let mut length = length_of(text);
    let mut words = Vec::new();
    for word in &text.0 {
        match word {
            Word::Made(read) if reads[*read] == 1 && lines[*read].letter == 'v' => {
                let inside = &lines[*read].text;
                if length + length_of(inside) <= WIDTH + NAME {
                    length = length + length_of(inside) - NAME;
                    is_inside[*read] = true;
                    words.extend(inside.0.clone());
                } else {
                    words.push(word.clone());
                }
            }
            _ => words.push(word.clone()),
        }
    }
    Words(words)
}

fn length_of(text: &Words) -> usize {
    let length = |word: &Word| if let Word::Said(text) = word { text.len() } else { NAME };
    text.0.iter().map(length).sum()
}

fn said(text: &Words, names: &[String]) -> String {
    let word = |word: &Word| match word {
        Word::Said(text) => text.to_string(),
        Word::Made(line) => names[*line].clone(),
    };
    text.0.iter().map(word).collect()
}

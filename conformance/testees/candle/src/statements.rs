//! What was asked, as the statements of a function.

use crate::recorder::{Line, Word, Words};

/// What is this short is written inside of what reads it.
const WIDTH: usize = 70;
/// About as long as a name is.
const NAME: usize = 3;

/// The statements that `last` needs, and `last`. What only one of them reads is written inside of it if that is short.
pub fn statements(mut lines: Vec<Line>, last: Words) -> String {
    lines.push(Line { letter: ' ', text: last });
    let reads = reads(&lines);
    let mut inside = vec![false; lines.len()];
    for place in 0..lines.len() {
        if reads[place] == 0 {
            continue;
        }
        let mut length = length_of(&lines[place].text);
        let mut words = Vec::new();
        for word in std::mem::take(&mut lines[place].text.0) {
            match word {
                // Variables and gradients keep their names.
                Word::Made(read) if reads[read] == 1 && lines[read].letter == 'v' => {
                    let more = length_of(&lines[read].text) - NAME;
                    if length + more <= WIDTH {
                        length += more;
                        inside[read] = true;
                        words.extend(lines[read].text.0.clone());
                    } else {
                        words.push(word);
                    }
                }
                _ => words.push(word),
            }
        }
        lines[place].text = Words(words);
    }
    let mut names: Vec<String> = Vec::new();
    let (mut text, mut count) = (String::new(), 0);
    for (place, line) in lines.iter().enumerate() {
        let is_last = place + 1 == lines.len();
        let is_named = reads[place] > 0 && !inside[place] && !is_last;
        count += usize::from(is_named);
        names.push(format!("{}{count}", line.letter));
        if is_named {
            text += &format!("    let {} = {};\n", names[place], said(&line.text, &names));
        } else if is_last {
            text += &format!("    {}\n", said(&line.text, &names));
        }
    }
    text
}

/// How often each line is read by lines that the last one needs; once for the last.
fn reads(lines: &[Line]) -> Vec<usize> {
    let mut reads = vec![0; lines.len()];
    if let Some(last) = reads.last_mut() {
        *last = 1;
    }
    for (place, line) in lines.iter().enumerate().rev() {
        let read = line.text.0.iter().filter_map(|word| if let Word::Made(read) = word { Some(*read) } else { None });
        for read in read.filter(|_| reads[place] > 0).collect::<Vec<_>>() {
            reads[read] += 1;
        }
    }
    reads
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
